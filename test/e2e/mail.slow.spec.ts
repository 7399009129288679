import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MailServer, type ReceivedMail } from '../support/mail-server.js';
import { createTestDatabase } from '../support/postgres.js';
import { Product } from '../support/product.js';
import {
  accountMenuButton,
  expect,
  expectGoodAtEverySize,
  expectGoodScreen,
  registerInBrowser,
  signInInBrowser,
  somebody,
  test,
  toast,
} from './nova.js';

const linkIn = ({ text }: ReceivedMail): string => {
  const [link] = /^http\S+#\S+$/m.exec(text) ?? [];
  if (link === undefined) throw new Error(`no link in ${text}`);
  return link;
};

test('an address is confirmed, a password reset by mail, and the notices of it seen', async ({ browser }) => {
  // It starts an installation of its own.
  test.slow();
  const folder = await mkdtemp(path.join(tmpdir(), 'nova-e2e-mail-'));
  await chmod(folder, 0o711);
  const database = process.env['TEST_DATABASE_URL'] ? await createTestDatabase('e2e_mail') : undefined;
  const server = await MailServer.start();
  const product = await Product.start({
    dataDir: folder,
    env: { ...server.environment, ...(database ? { DATABASE_URL: database.url } : {}) },
  });
  try {
    const home = await (await browser.newContext({ baseURL: product.url })).newPage();
    const ada = somebody('Ada Lovelace');

    await registerInBrowser(home, ada);
    await home.goto('/profile?tab=settings');
    await expect(home.getByText('Not confirmed')).toBeVisible();
    await expect(home.getByRole('heading', { name: 'Nothing has happened' })).toBeVisible();
    await expectGoodAtEverySize(home);
    await home.getByRole('button', { name: 'Send Confirmation Mail' }).click();
    await expect(toast(home, 'Mail Sent')).toBeVisible();
    const link = linkIn(await server.mailTo(ada.email, 'Confirm your email address'));
    await home.goto(link);
    await expectGoodAtEverySize(home);
    await home.getByRole('button', { name: 'Confirm Address' }).click();
    await expect(home.getByRole('heading', { name: 'Your Email Address Is Confirmed' })).toBeVisible();
    await home.getByRole('link', { name: 'Go to Nova' }).click();
    await expect(accountMenuButton(home)).toBeVisible();
    await expect(home.getByRole('region', { name: 'Security notices' })).toHaveCount(0);

    // In another browser, which has not stored the password.
    const away = await (await browser.newContext({ baseURL: product.url })).newPage();
    await away.goto('/');
    await away.getByRole('button', { name: 'ENTER' }).click();
    await away.getByRole('button', { name: 'Already have an account? Sign in' }).click();
    await away.getByRole('button', { name: 'Forgot your password?' }).click();
    await away.getByRole('button', { name: 'Send me a mail instead' }).click();
    await away.getByRole('dialog').getByLabel('Email').fill(ada.email);
    await expectGoodAtEverySize(away);
    await away.getByRole('button', { name: 'Send Mail' }).click();
    await expect(away.getByRole('status').filter({ hasText: 'a mail with a link is on its way' })).toBeVisible();
    await away.goto(linkIn(await server.mailTo(ada.email, 'Reset your password')));
    await expectGoodAtEverySize(away);
    await away.getByRole('textbox', { name: 'New Password' }).fill('short');
    await away.getByRole('button', { name: 'Set New Password' }).click();
    await expect(away.getByText('Password must be at least 8 characters')).toBeVisible();
    const password = 'a door left ajar';
    await away.getByRole('textbox', { name: 'New Password' }).fill(password);
    await away.getByRole('button', { name: 'Set New Password' }).click();
    await expect(away.getByRole('heading', { name: 'Password Changed' })).toBeVisible();
    await away.goBack();
    await away.getByRole('button', { name: 'ENTER' }).waitFor();

    // In the first browser the session has ended, and the next sign-in says why.
    await signInInBrowser(home, { ...ada, password });
    const notices = home.getByRole('region', { name: 'Security notices' });
    await expect(notices).toContainText('Your password was reset by mail. All devices were signed out.');
    await expectGoodAtEverySize(home);
    await notices.getByRole('link', { name: 'Security Settings' }).click();
    const list = home.getByRole('list', { name: 'Security notices' });
    await expect(list).toContainText('Your password was reset by mail.');
    await expectGoodAtEverySize(home);
    const kept = home.waitForResponse((response) => response.url().endsWith('/api/auth/security-notices/seen'));
    await notices.getByRole('button', { name: 'Got It' }).click();
    await expect(notices).toHaveCount(0);
    await kept;
    await home.reload();
    await expect(list).toBeVisible();
    await expect(notices).toHaveCount(0);

    const letter = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    await letter.setContent((await server.mailTo(ada.email, 'Your password was reset')).html);
    await expect(letter.getByRole('heading', { name: 'Your password was reset' })).toBeVisible();
    await expectGoodScreen(letter);
  } finally {
    await product.stop();
    await server.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
