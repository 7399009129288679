import { escapeHtml } from '../../platform/text.js';
import { type SecurityNotice, sentenceOf, titleOf } from '../security-notice.js';
import { LINK_MINUTES } from './mail-tokens.js';

/** What a mail says, before it is laid out. */
export interface Letter {
  readonly subject: string;
  /** Above the link; the first may be a greeting. */
  readonly paragraphs: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  /** Below the link. */
  readonly afterword: string;
}

const VERIFY_HOURS = LINK_MINUTES.verify / 60;

/** To somebody who may never have heard of Nova: nothing in it was typed by whoever entered the address. */
export const verificationLetter = (url: string): Letter => ({
  subject: 'Confirm your email address',
  paragraphs: [
    'Somebody used this email address for an account at Nova. If it was you, confirm that the address is yours.',
    'You can then reset your password by mail, and Nova tells you when something happens to your account.',
  ],
  link: { label: 'Confirm Address', url },
  afterword:
    `The link works once, for ${VERIFY_HOURS} hours, in a browser that is signed in to that account. ` +
    'If you have no account at Nova, ignore this mail: the address stays unconfirmed.',
});

export const resetLetter = (displayName: string, url: string): Letter => ({
  subject: 'Reset your password',
  paragraphs: [
    `Hello ${displayName},`,
    'Somebody asked to reset the password of your account. If it was you, choose a new one.',
  ],
  link: { label: 'Set New Password', url },
  afterword:
    `The link works once, for ${LINK_MINUTES.reset} minutes. A new password signs out all your devices. ` +
    'If you did not ask for it, ignore this mail: your password stays as it is.',
});

/** @param url where the member looks after their account */
export const noticeLetter = (displayName: string, notice: SecurityNotice, at: Date, url: string): Letter => ({
  subject: titleOf(notice),
  paragraphs: [
    `Hello ${displayName},`,
    sentenceOf(notice),
    `This happened on ${DAY.format(at)} at ${TIME.format(at)} UTC.`,
  ],
  link: { label: 'Open Security Settings', url },
  afterword:
    'If it was you, there is nothing to do. If it was not, sign in and change your password, or reset it by mail ' +
    'with “Forgot your password?” on the sign-in card. Either signs out everybody else.',
});

/** @param url where the member accepts requests. Who asks stands there: no mail carries what another member typed */
export const requestLetter = (displayName: string, url: string): Letter => ({
  subject: 'Somebody would like to chat with you',
  paragraphs: [
    `Hello ${displayName},`,
    'You have a chat request, and you are not signed in anywhere. A request can be accepted for 2 minutes.',
  ],
  link: { label: 'Open Requests', url },
  afterword:
    'Turn on notifications in your settings to hear of requests at once. You get one such mail an hour at most; the ' +
    'same settings turn them off.',
});

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

/** The letter as plain text. */
export const asText = ({ paragraphs, link, afterword }: Letter): string =>
  `${[...paragraphs.map(oneLine), `${link.label}:\n${link.url}`, afterword, '-- \nNova'].join('\n\n')}\n`;

/** A member's name cannot pass for a paragraph of ours. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/**
 * The letter in the product's look. Nothing is loaded from anywhere, whatever members typed is escaped, and the colours hold on
 * light and dark screens: the few programs that drop the style sheet show the light ones.
 */
export function asHtml({ subject, paragraphs, link, afterword }: Letter): string {
  const shown = paragraphs.map((text) => `<p class="ink" dir="auto" style="${PARAGRAPH}">${escapeHtml(text)}</p>`);
  const url = escapeHtml(link.url);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #0a0c15 !important; }
  .card { background-color: #14171f !important; border-color: #2a2d37 !important; }
  .ink { color: #f4f2ec !important; }
  .muted { color: #b0b3c0 !important; }
  .star { color: #fcbd4a !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f3f7;">
<div role="main">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background-color:#f3f3f7;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;">
<tr><td class="ink" align="center" style="padding:0 0 20px;color:#1a1c26;font:600 20px/28px ${FONT};">
<span class="star" style="color:#b97900;" aria-hidden="true">&#10022;&#65038;</span> Nova</td></tr>
<tr><td class="card" style="padding:28px 24px;background-color:#ffffff;border:1px solid #dcdde6;border-radius:20px;">
<h1 class="ink" style="margin:0 0 16px;color:#1a1c26;font:600 20px/28px ${FONT};">${escapeHtml(subject)}</h1>
${shown.join('\n')}
<p style="margin:24px 0;"><a href="${url}" style="display:inline-block;padding:12px 20px;border-radius:12px;background-color:#fcbd4a;color:#2a1a02;font:600 16px/20px ${FONT};text-decoration:none;">${escapeHtml(link.label)}</a></p>
<p class="muted" style="margin:0 0 16px;color:#5b5e6b;font:14px/20px ${FONT};">${escapeHtml(afterword)}</p>
<p class="muted" style="margin:0;color:#5b5e6b;font:12px/18px ${FONT};word-break:break-all;">If the button does not work, open this address:<br>${url}</p>
</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`;
}

const FONT = "Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const PARAGRAPH = `margin:0 0 12px;color:#1a1c26;font:16px/24px ${FONT};overflow-wrap:anywhere;`;
