/** True for `application/json`, with no charset or UTF-8. */
export function isJsonContent(type: string | undefined): boolean {
  if (type === undefined) return false;
  const [media = '', ...parameters] = type.toLowerCase().split(';');
  if (media.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-8"?$/.test(value.trim());
  });
}

/** Whether an `Accept` header allows the media type. An absent or empty one allows everything. */
export function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  return accept.split(',').some((range) => {
    const [media = '', ...parameters] = range.toLowerCase().split(';');
    const refused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter));
    return !refused && ['*/*', '*', family, type].includes(media.trim());
  });
}
