/** Checked in this order: Edge also calls itself Chrome, and Chrome calls itself Safari. */
const browsers: readonly { name: string; mark: RegExp }[] = [
  { name: 'Edge', mark: /\bEdg(?:e|A|iOS)?\// },
  { name: 'Firefox', mark: /\b(?:Firefox|FxiOS)\// },
  { name: 'Chrome', mark: /\b(?:Headless)?Chrome\/|\bCriOS\// },
  { name: 'Safari', mark: /\bSafari\// },
  { name: 'Tablet', mark: /iPad|Tablet/i },
  { name: 'Mobile', mark: /Mobi|Android|iPhone/i },
];

/** A device's name from its user agent (rule accounts-19). */
export function deviceName(userAgent: string): string {
  return browsers.find(({ mark }) => mark.test(userAgent))?.name ?? 'Desktop Browser';
}

/** Whether it is a mobile device, for the icon next to the name. */
export function isHandheld(userAgent: string): boolean {
  return /Mobi|Android|iPhone|iPad|Tablet/i.test(userAgent);
}
