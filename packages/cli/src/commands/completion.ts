import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

/** Shells that completions are written for. */
export type CompletionShell = 'bash' | 'zsh' | 'fish';

/** `levada completion <shell>`: a script for that shell, made from the commands and options that there are. */
export function printCompletion(shell: CompletionShell, program: Command, terminal: Terminal): void {
  terminal.out(scripts[shell](completionWords(program)));
}

/** Words that may follow a command, by its own words: `project` to `validate ls ...`. */
type CompletionWords = readonly { readonly path: string; readonly words: readonly string[] }[];

function completionWords(program: Command): CompletionWords {
  const found: { path: string; words: readonly string[] }[] = [];
  const walk = (command: Command, path: readonly string[]): void => {
    const names = command.commands.map((one) => one.name());
    const options = command.options.flatMap(({ long }) =>
      long === undefined || long === null ? [] : [long],
    );
    found.push({ path: path.join(' '), words: [...names, ...options, '--help'] });
    for (const one of command.commands) walk(one, [...path, one.name()]);
  };
  walk(program, []);
  return found;
}

/** Names of commands and options are words without anything that a shell reads otherwise. */
const scripts: Readonly<Record<CompletionShell, (words: CompletionWords) => string>> = {
  bash: bashScript,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
  fish: (words) =>
    words
      .map(({ path, words: next }) => {
        const typed = path === '' ? 'levada' : `levada ${path}`;
        return `complete -c levada -n 'string match -qr "^${typed}( -\\S+)* \\S*\\$" -- (commandline -cp)' -a '${next.join(' ')}'\n`;
      })
      .join(''),
};

function bashScript(words: CompletionWords): string {
  const cases = words.map(({ path, words: next }) => `    '${path}') words='${next.join(' ')}' ;;`);
  return `_levada() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' at
  for ((at = 1; at < COMP_CWORD && at < 3; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] && break
    path="\${path:+$path }\${COMP_WORDS[at]}"
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _levada levada
`;
}
