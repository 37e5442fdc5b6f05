/**
 * Whether a text is JSON, by JSON.parse: what paylint says of texts is compared with it.
 */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
