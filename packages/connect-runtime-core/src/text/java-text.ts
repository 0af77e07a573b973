/** Without surrounding characters up to U+0020, as Java's `String.trim`. Takes linear time, whatever the text. */
export function javaTrim(text: string): string {
  return strip(text, (code) => code <= 0x20);
}

/** A comma separated list as Kafka's ConfigDef splits it: white space around each item removed, empty items kept. */
export function splitList(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((item) => strip(item, isJavaSpace));
}

/** What `\s` stands for in Java: blank, tab, line feed, vertical tab, form feed, carriage return. */
function isJavaSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function strip(text: string, drop: (code: number) => boolean): string {
  let start = 0;
  let end = text.length;
  while (start < end && drop(text.charCodeAt(start))) start += 1;
  while (end > start && drop(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
