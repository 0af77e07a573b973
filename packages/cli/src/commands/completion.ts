import type { Command } from 'commander';
import type { Terminal } from '../output/terminal.ts';
import { argumentWords } from './complete-words.ts';

/** Shells that completions are written for. */
export type CompletionShell = 'bash' | 'zsh' | 'fish';

/**
 * `levada completion <shell>`: a script for that shell, made from the commands and options that there are. Names of connectors, tasks,
 * plugins and contexts are asked of `levada complete-words` when they are wanted.
 */
export function printCompletion(shell: CompletionShell, program: Command, terminal: Terminal): void {
  terminal.out(scripts[shell](completionWords(program)));
}

/** Words that may follow a command, by its own words: `project` to `validate ls ...`. */
type CompletionWords = readonly {
  readonly path: string;
  readonly words: readonly string[];
  /** Whether there are more words than these. */
  readonly more: boolean;
}[];

function completionWords(program: Command): CompletionWords {
  const found: { path: string; words: readonly string[]; more: boolean }[] = [];
  const walk = (command: Command, path: readonly string[]): void => {
    const shown = command.createHelp().visibleCommands(command);
    const names = shown.map((one) => one.name()).filter((name) => name !== 'help');
    const options = command.options.flatMap(({ long }) =>
      long === undefined || long === null ? [] : [long],
    );
    const own = path.join(' ');
    found.push({
      path: own,
      words: [...names, ...options, '--help'],
      more: argumentWords[own] !== undefined,
    });
    for (const [longer] of Object.entries(argumentWords)) {
      const isOurs =
        own !== '' &&
        longer.startsWith(`${own} `) &&
        !command.commands.some((one) => longer.startsWith(`${own} ${one.name()}`));
      if (isOurs) found.push({ path: longer, words: [...options, '--help'], more: true });
    }
    for (const one of command.commands) if (names.includes(one.name())) walk(one, [...path, one.name()]);
  };
  walk(program, []);
  return found;
}

/** Names of commands and options are words without anything that a shell reads otherwise. */
const scripts: Readonly<Record<CompletionShell, (words: CompletionWords) => string>> = {
  bash: bashScript,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
  fish: fishScript,
};

/** Variables must not be named `path` or `words`, which have a meaning in zsh. */
function bashScript(words: CompletionWords): string {
  const cases = words.map(
    ({ path, words: next, more }) => `    '${path}') choices='${next.join(' ')}' more=${more ? 1 : ''} ;;`,
  );
  const known = words.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `_levada() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed='' longer='' choices='' more='' word='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    longer="\${typed:+$typed }\${COMP_WORDS[at]}"
    case "$longer" in
      ${known.join(' | ')}) typed="$longer" ;;
      *) break ;;
    esac
  done
  case "$typed" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
  [[ $current == -* ]] && return
  [[ -n $more || \${COMP_WORDS[COMP_CWORD - 1]} == -* ]] || return
  while IFS= read -r word; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(levada complete-words -- "\${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _levada levada
`;
}

function fishScript(words: CompletionWords): string {
  const lines = words.map(({ path, words: next, more }) => {
    const typed = path === '' ? 'levada' : `levada ${path}`;
    // After a command with arguments, any word may be one.
    const between = more ? '( \\S+)*' : '( -\\S+)*';
    return `complete -c levada -n 'string match -qr "^${typed}${between} \\S*\\$" -- (commandline -cp)' -a '${next.join(' ')}'\n`;
  });
  const paths = words.filter(({ more }) => more).map(({ path }) => path);
  const ask = '(levada complete-words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)';
  const asked = (pattern: string, files: string): string =>
    `complete -c levada ${files}-n 'string match -qr "${pattern}" -- (commandline -cp)' -a '${ask}'\n`;
  return `${lines.join('')}${asked(`^levada (${paths.join('|')}) `, '-f ')}${asked('(^| )-\\S+ \\S*\\$', '')}`;
}
