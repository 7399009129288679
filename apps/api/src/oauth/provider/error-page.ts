import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml } from '../../platform/text.js';

/** The parts of an answer that the page needs. */
type Page = Pick<KoaContextWithOIDC, 'set' | 'type' | 'body'>;

/** Advice for users. The library's detail next to it is for the application's developer. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_client: 'The application that sent you here is not known to Nova, or has been switched off.',
  invalid_redirect_uri: 'The application asked to send you to an address that it has not registered, so you stay here.',
  invalid_request: 'This sign-in has expired or is incomplete. Go back to the application and start again.',
  server_error: 'Something went wrong on our side. Go back to the application and try again.',
};

/** The text may repeat a parameter. */
const DETAIL_SHOWN_MAX = 300;

/** The page for errors that must not, or cannot, go back to an application. It never redirects and holds no script. */
export function renderErrorPage(ctx: Page, out: ErrorOut): void {
  const advice = ADVICE[out.error] ?? ADVICE['invalid_request'] ?? '';
  const detail = [out.error, out.error_description]
    .filter((part) => part !== undefined)
    .join(': ')
    .slice(0, DETAIL_SHOWN_MAX);
  ctx.set('cache-control', 'no-store');
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>This sign-in cannot continue · Nova</title>
<link rel="icon" href="/favicon.svg">
<style>
:root { color-scheme: dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: oklch(0.16 0.02 275);
  color: oklch(0.96 0.01 90); font: 1rem/1.5 'Inter Variable', ui-sans-serif, system-ui, sans-serif; }
main { box-sizing: border-box; width: min(28rem, 100% - 2rem); margin: 1rem; padding: 1.5rem; border-radius: 20px;
  border: 1px solid oklch(0.85 0.03 275 / 0.12); background: oklch(0.205 0.023 275); overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.75rem; }
p { margin: 0 0 1rem; }
code { font-size: .75rem; color: oklch(0.77 0.015 275); }
a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1.25rem; border-radius: 12px;
  background: oklch(0.84 0.15 80); color: oklch(0.22 0.04 80); font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 2px solid oklch(0.84 0.15 80); outline-offset: 2px; }
</style>
</head>
<body>
<main>
<h1>This sign-in cannot continue</h1>
<p>${escapeHtml(advice)}</p>
<p><code>${escapeHtml(detail)}</code></p>
<a href="/">Return to Nova</a>
</main>
</body>
</html>`;
}
