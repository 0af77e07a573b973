/** How long a button says that it has copied, in milliseconds; that of other blocks says it as long. */
const SHOWN_MS = 2000;

/** Copies what a reader types of a console block, without the prompts and what the commands print. */
export function copyCommands(event: Event): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches('.language-console > button.copy'))
    return;
  event.stopImmediatePropagation();
  const button = event.target;
  const lines = button.parentElement?.querySelector('pre')?.textContent?.split('\n') ?? [];
  const typed = lines.filter((line) => /^[$>] /.test(line)).map((line) => line.slice(2));
  void navigator.clipboard.writeText(typed.join('\n')).then(
    () => {
      button.classList.add('copied');
      setTimeout(() => button.classList.remove('copied'), SHOWN_MS);
    },
    () => undefined, // where pages may not write to the clipboard, the text can be selected
  );
}
