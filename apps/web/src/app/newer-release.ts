const ANSWER_MS_MAX = 5_000;

/** The script that a page begins with: its name has the hash of its build. */
const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

/** Whether the server has another release by now than this page, whose parts are gone with it. */
export async function hasNewerRelease(): Promise<boolean> {
  try {
    const page = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const entry = page.ok ? ENTRY.exec(await page.text())?.[1] : undefined;
    return entry !== undefined && ![...document.scripts].some((script) => script.getAttribute('src') === entry);
  } catch {
    return false;
  }
}
