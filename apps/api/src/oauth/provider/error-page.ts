import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** What people can do about it; what the library says beside it is for the application's developer. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_client: 'The application that sent you here is not known to Nova, or has been switched off.',
  invalid_redirect_uri: 'The application asked to send you to an address that it has not registered, so you stay here.',
  invalid_request: 'This sign-in has expired or is incomplete. Go back to the application and start again.',
  server_error: 'Something went wrong on our side. Go back to the application and try again.',
};

/** The page for errors that must not, or cannot, go back to an application: never a redirect, nothing that runs. */
export function renderErrorPage(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const advice = ADVICE[out.error] ?? ADVICE['invalid_request'] ?? '';
  const detail = [out.error, out.error_description].filter((part) => part !== undefined).join(': ');
  ctx.set('cache-control', 'no-store');
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>This sign-in cannot continue · Nova</title>
<style>
:root { color-scheme: dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #0b0b14; color: #f4f4fb;
  font: 16px/1.5 'Inter Variable', Inter, system-ui, sans-serif; }
main { box-sizing: border-box; width: min(30rem, 100% - 2rem); margin: 1rem; padding: 2rem; border-radius: 1rem;
  border: 1px solid #2c2c44; background: #15152a; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
code { font-size: .8125rem; color: #b6b6d0; }
a { color: #b9a5ff; }
</style>
</head>
<body>
<main>
<h1>This sign-in cannot continue</h1>
<p>${escape(advice)}</p>
<p><code>${escape(detail)}</code></p>
<a href="/">Return to Nova</a>
</main>
</body>
</html>`;
}
