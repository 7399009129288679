/** Checked in this order: Edge also calls itself Chrome, and Chrome calls itself Safari. */
const browsers: readonly { name: string; mark: RegExp }[] = [
  { name: 'Edge', mark: /\bEdg(?:e|A|iOS)?\// },
  { name: 'Firefox', mark: /\b(?:Firefox|FxiOS)\// },
  { name: 'Chrome', mark: /\b(?:Headless)?Chrome\/|\bCriOS\// },
  { name: 'Safari', mark: /\bSafari\// },
];
/** An Android that does not say Mobile is a tablet. */
const TABLET = /iPad|Tablet|Android(?!.*Mobi)/i;
const MOBILE = /Mobi|Android|iPhone/i;

/** A device's name from its user agent (rule accounts-19): `Safari`, `Mobile · Safari`. */
export function deviceName(userAgent: string): string {
  const browser = browsers.find(({ mark }) => mark.test(userAgent))?.name;
  const kind = kindOf(userAgent);
  if (kind === undefined) return browser ?? 'Desktop Browser';
  return browser === undefined ? kind : `${kind} · ${browser}`;
}

function kindOf(userAgent: string): 'Tablet' | 'Mobile' | undefined {
  if (TABLET.test(userAgent)) return 'Tablet';
  return MOBILE.test(userAgent) ? 'Mobile' : undefined;
}

/** Whether it is a mobile device, for the icon next to the name. */
export const isHandheld = (userAgent: string): boolean => kindOf(userAgent) !== undefined;
