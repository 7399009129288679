/** The address when a browser may follow it as a link (http or https), else null: it is an application's own word. */
export function webAddress(text: string | null | undefined): string | null {
  if (text === null || text === undefined || !URL.canParse(text)) return null;
  return /^https?:$/.test(new URL(text).protocol) ? text : null;
}
