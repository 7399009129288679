import { DataSource } from 'typeorm';
import { Mailer } from '../../apps/api/src/identity/mail/mailer.js';
import { SecurityNotices } from '../../apps/api/src/identity/security-notices.js';
import { startTestApi, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { MailServer, tokenIn } from '../support/mail-server.js';
import { bearer, registerApplication, tokensFor } from '../support/oauth.js';

const terms = { tcConsent: true, tcVersion: '1.0' };
const VERIFY = 'Confirm your email address';
const RESET = 'Reset your password';
const NEW_PASSWORD = 'quite another horse';

describe('mail', () => {
  let api: TestApi;
  let server: MailServer;
  const log: string[] = [];

  beforeAll(async () => {
    server = await MailServer.start();
    const environment = {
      ...server.environment,
      PUBLIC_URL: 'https://nova.example',
      LOG_LEVEL: 'info',
      RATE_LIMIT_FACTOR: '10',
    };
    api = await startTestApi({ environment, logTo: { write: (line) => void log.push(line) } });
  });
  afterAll(async () => {
    await api?.close();
    await server?.close();
  });

  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await api.database.pool.query(text, values)).rows as T[];
  const confirm = (browser: TestBrowser, token: string) => browser.post('/api/auth/verification/confirm', { token });
  const askReset = (email: string) => api.browser().post('/api/auth/reset-request', { email });
  const reset = (token: string, newPassword = NEW_PASSWORD) =>
    api.browser().post('/api/auth/reset', { token, newPassword });
  const signIn = (email: string, password: string, userAgent = 'Firefox/140.0') =>
    api.browser().post('/api/auth/signin', { email, password, ...terms }, { 'user-agent': userAgent });
  const mailsOf = ({ id }: TestMember) =>
    sql<{ purpose: string }>('select purpose from mails where account_id = $1', [id]);

  async function verified(given: Parameters<TestApi['member']>[0] = {}): Promise<TestMember> {
    const member = await api.member(given);
    const mail = await server.mailTo(member.email, VERIFY);
    expect((await confirm(member.browser, tokenIn(mail))).status).toBe(200);
    return member;
  }

  async function resetToken(member: TestMember): Promise<string> {
    expect((await askReset(member.email)).status).toBe(200);
    return tokenIn(await server.mailTo(member.email, RESET));
  }

  describe('that proves an address', () => {
    it('comes with registering, by TLS, in both forms, with a link that no log and no Referer can show', async () => {
      const member = await api.member({ displayName: 'Ada <b>Lovelace</b>' });
      const mail = await server.mailTo(member.email, VERIFY);
      expect(mail).toMatchObject({ recipients: [member.email], isEncrypted: true });
      expect(mail.headers.get('from')).toBe('Nova <nova@nova.example>');
      expect(mail.headers.get('to')).toBe(member.email);
      expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
      const link = `https://nova.example/verify-email#${tokenIn(mail)}`;
      expect(mail.text).toContain(link);
      expect(mail.html).toContain(`href="${link}"`);
      // No text of a stranger goes to somebody else's address, and the mail loads nothing from elsewhere.
      expect(mail.text + mail.html).not.toContain('Lovelace');
      expect(mail.html).not.toMatch(/<img|<link|<script|url\(/);
    });

    it('makes the address a verified one, for the member and for applications that may know it', async () => {
      const member = await api.member();
      const application = await registerApplication(member);
      const claims = async (): Promise<unknown> => {
        const { access_token } = await tokensFor(api, member, application, { scopes: ['openid', 'email'] });
        return (await api.browser().get('/oauth/userinfo', bearer(access_token))).body;
      };
      expect((await member.browser.get('/api/auth/user')).body.user.emailVerified).toBe(false);
      expect(await claims()).toEqual({ sub: member.id, email: member.email, email_verified: false });
      const token = tokenIn(await server.mailTo(member.email, VERIFY));
      expect((await confirm(member.browser, token)).status).toBe(200);
      expect((await member.browser.get('/api/auth/user')).body.user.emailVerified).toBe(true);
      expect(await claims()).toEqual({ sub: member.id, email: member.email, email_verified: true });
      expect(await confirm(member.browser, token)).toMatchObject({ status: 400, body: { code: 'INVALID_LINK' } });
      expect(await member.browser.post('/api/auth/verification')).toMatchObject({
        status: 409,
        body: { code: 'EMAIL_VERIFIED' },
      });
    });

    it('works in a session of its own account alone, and not for ever', async () => {
      const [member, other] = [await api.member(), await api.member()];
      const token = tokenIn(await server.mailTo(member.email, VERIFY));
      expect((await confirm(api.browser(), token)).status).toBe(401);
      expect(await confirm(other.browser, token)).toMatchObject({ status: 400, body: { code: 'INVALID_LINK' } });
      await sql(`update mail_tokens set expires_at = now() where account_id = $1`, [member.id]);
      expect(await confirm(member.browser, token)).toMatchObject({ status: 400, body: { code: 'INVALID_LINK' } });
      expect((await member.browser.get('/api/auth/user')).body.user.emailVerified).toBe(false);
      for (const wrong of ['', 'short', 7, null, 'x'.repeat(43)]) {
        expect((await member.browser.post('/api/auth/verification/confirm', { token: wrong })).status).toBe(400);
      }
    });

    it('is sent again when asked for, three times an hour to a mailbox, whatever it is called', async () => {
      const local = `ada.${process.pid}`;
      const member = await api.member({ email: `${local}@gmail.com` });
      expect((await member.browser.post('/api/auth/verification')).status).toBe(200);
      const twin = await api.member({ email: `${local.replace('.', '')}+x@googlemail.com` });
      const asked = await Promise.all([1, 2, 3].map(() => twin.browser.post('/api/auth/verification')));
      expect(asked.map(({ status }) => status)).toEqual([429, 429, 429]);
      expect(asked[0]?.body.code).toBe('TOO_MANY_MAILS');
      expect(await mailsOf(member)).toHaveLength(2);
      expect(await mailsOf(twin)).toHaveLength(1);
      await sql(`update mails set created_at = created_at - interval '61 minutes'`);
      expect((await twin.browser.post('/api/auth/verification')).status).toBe(200);
    });
  });

  describe('that resets a password', () => {
    it('sets the new one, once, ends every session, and says so', async () => {
      const member = await verified();
      const token = await resetToken(member);
      // Following the link is a GET of a page: it does not use up the token.
      await api.browser().get('/reset-password');
      const answers = await Promise.all([reset(token), reset(token, 'yet another horse')]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'INVALID_LINK' } });
      expect((await member.browser.get('/api/auth/user')).status).toBe(401);
      expect((await signIn(member.email, member.password)).status).toBe(401);
      const password = answers[0]?.status === 200 ? NEW_PASSWORD : 'yet another horse';
      expect((await signIn(member.email, password)).status).toBe(200);
      expect((await server.mailTo(member.email, 'Your password was reset')).text).toContain('reset by mail');
    });

    it('is refused where the new password is, and leaves the link as it was', async () => {
      const member = await verified();
      const token = await resetToken(member);
      expect(await reset(token, 'short')).toMatchObject({ status: 400, body: { code: 'INVALID_PASSWORD' } });
      expect((await reset(token)).status).toBe(200);
    });

    it('works for thirty minutes, and not after another change of the password', async () => {
      const member = await verified();
      const late = await resetToken(member);
      const [times] = await sql<{ minutes: number }>(
        `select round(extract(epoch from expires_at - now()) / 60)::int as minutes from mail_tokens
         where account_id = $1 and purpose = 'reset'`,
        [member.id],
      );
      expect(times?.minutes).toBe(30);
      await sql(`update mail_tokens set expires_at = now() where account_id = $1`, [member.id]);
      expect(await reset(late)).toMatchObject({ status: 400, body: { code: 'INVALID_LINK' } });
      const token = await resetToken(member);
      const change = { currentPassword: member.password, newPassword: NEW_PASSWORD };
      expect((await member.browser.post('/api/auth/password', change)).status).toBe(200);
      expect(await reset(token, 'a third horse')).toMatchObject({ status: 400, body: { code: 'INVALID_LINK' } });
      await server.mailTo(member.email, 'Your password was changed');
    });

    it('is not to be told from none: for nobody, for an unconfirmed address, and for the fourth in an hour', async () => {
      const member = await verified();
      const unconfirmed = await api.member();
      await server.mailTo(unconfirmed.email, VERIFY);
      const before = (await sql('select from mails')).length;
      const timed = async (email: string) => {
        const start = performance.now();
        const { status, body } = await askReset(email);
        expect(performance.now() - start).toBeGreaterThan(395);
        return { status, body };
      };
      const answer = await timed(member.email);
      expect(answer).toEqual({
        status: 200,
        body: { message: 'If an account has confirmed this address, a mail with a link is on its way to it.' },
      });
      for (let i = 0; i < 3; i++) expect(await timed(member.email.toUpperCase())).toEqual(answer);
      expect(await timed('nobody@example.com')).toEqual(answer);
      expect(await timed(unconfirmed.email)).toEqual(answer);
      expect((await sql('select from mails')).length - before).toBe(3);
      expect(await mailsOf(unconfirmed)).toEqual([{ purpose: 'verify' }]);
      for (let i = 0; i < 3; i++) await server.mailTo(member.email, RESET);
      expect(server.mails.filter(({ recipients }) => recipients.includes('nobody@example.com'))).toEqual([]);
      expect(await api.browser().post('/api/auth/reset-request', { email: 'nobody' })).toMatchObject({ status: 400 });
    });

    it('counts three an hour for an account from several networks at once', async () => {
      const member = await verified();
      await Promise.all(Array.from({ length: 8 }, () => askReset(member.email)));
      expect((await mailsOf(member)).filter(({ purpose }) => purpose === 'reset')).toHaveLength(3);
    });
  });

  describe('of what happened to an account', () => {
    it('goes to a verified address, names what is hostile as text, and to nobody else', async () => {
      const member = await verified({ displayName: `Eve & "Sons" <i>` });
      const unconfirmed = await api.member();
      await server.mailTo(unconfirmed.email, VERIFY);
      await signIn(member.email, member.password, '<script>alert(1)</script> Chrome/140.0');
      await signIn(unconfirmed.email, unconfirmed.password);
      const mail = await server.mailTo(member.email, 'New device signed in');
      expect(mail.text).toContain(`Hello Eve & "Sons" <i>,\n\nA new device signed in to your account: Chrome.`);
      expect(mail.html).toContain('Hello Eve &#38; &#34;Sons&#34; &#60;i&#62;,');
      expect(mail.html).not.toMatch(/<script|<i>/);
      const notices = api.nova.app.get(SecurityNotices);
      await notices.tell(member.id, { kind: 'passkey_added', name: '</td><a href="https://evil.example">key</a>' });
      const passkey = await server.mailTo(member.email, 'A passkey was added');
      expect(passkey.html).toContain('“&#60;/td&#62;&#60;a href=&#34;https://evil.example&#34;&#62;key&#60;/a&#62;”');
      expect(await mailsOf(unconfirmed)).toEqual([{ purpose: 'verify' }]);
    });

    it('comes once a day for a paused recovery, and twenty times for all else', async () => {
      const member = await verified();
      const notices = api.nova.app.get(SecurityNotices);
      for (let i = 0; i < 3; i++) await notices.tell(member.id, { kind: 'recovery_paused', hours: 4 });
      for (let i = 0; i < 23; i++) await notices.tell(member.id, { kind: 'pin_changed', by: 'admin' });
      const counted = await sql<{ kind: string; count: number }>(
        `select count(*)::int as count from mails where account_id = $1 and purpose = 'notice' group by counted_by order by 1`,
        [member.id],
      );
      expect(counted).toEqual([{ count: 1 }, { count: 20 }]);
      const { notices: told } = (await member.browser.get('/api/auth/security-notices')).body;
      expect(told).toHaveLength(26);
    });

    it('is not sent for what was rolled back', async () => {
      const member = await verified();
      const before = await mailsOf(member);
      const work = api.nova.app.get(DataSource).transaction(async (manager) => {
        await api.nova.app.get(SecurityNotices).tell(member.id, { kind: 'passkey_removed', name: 'key' }, manager);
        throw new Error('rolled back');
      });
      await expect(work).rejects.toThrow('rolled back');
      expect(await mailsOf(member)).toEqual(before);
      expect((await member.browser.get('/api/auth/security-notices')).body.notices).toEqual([]);
    });
  });

  describe('that the server does not take', () => {
    const outcome = async (member: TestMember) =>
      (
        await sql<{ attempts: number; finished: boolean; waits: number }>(
          `select attempts, finished_at is not null as finished, round(extract(epoch from next_at - now()))::int as waits
           from mails where account_id = $1`,
          [member.id],
        )
      )[0];

    /** Waits until everything is sent, and removes the sent mails. */
    const allSent = async (): Promise<void> => {
      await eventually(
        () => sql('select from mails where finished_at is null'),
        (waiting) => waiting.length === 0,
      );
      server.mails.length = 0;
    };

    it('is tried again after a temporary refusal', async () => {
      server.refusals.push({ code: 451, at: 'recipient' });
      const member = await api.member();
      const tried = await eventually(
        () => outcome(member),
        (mail) => mail?.attempts === 1 && mail.waits < 61,
      );
      expect(tried?.finished).toBe(false);
      expect(tried?.waits).toBeGreaterThan(50);
      await sql('update mails set next_at = now() where finished_at is null');
      await server.mailTo(member.email, VERIFY);
      expect(
        await eventually(
          () => outcome(member),
          (mail) => mail?.finished === true,
        ),
      ).toMatchObject({ attempts: 2 });
    });

    it('holds up no other mail while the server takes some not yet', async () => {
      // A round each, one a second, would be fifteen seconds.
      const members = await Promise.all(Array.from({ length: 15 }, () => api.member()));
      await allSent();
      for (let refusal = 0; refusal < members.length - 1; refusal++) {
        server.refusals.push({ code: 451, at: refusal % 2 === 0 ? 'recipient' : 'data' });
      }
      const began = performance.now();
      await sql(
        `update mails set finished_at = null, attempts = 0, next_at = now() - interval '1 minute'
         where account_id = any($1)`,
        [members.map(({ id }) => id)],
      );
      await eventually(
        () => Promise.resolve(server.mails.length),
        (mails) => mails === 1,
      );
      expect(performance.now() - began).toBeLessThan(7_000);
      expect(server.refusals).toEqual([]);
      await sql('update mails set finished_at = now() where finished_at is null');
    });

    it('waits for a server that takes no mail of ours, without using up the tries of others', async () => {
      const members = [await api.member(), await api.member()];
      await allSent();
      server.refusals.push({ code: 550, at: 'sender' });
      await sql(
        `update mails set finished_at = null, attempts = 0, next_at = now() - interval '1 minute'
         where account_id = any($1)`,
        [members.map(({ id }) => id)],
      );
      // The other mail is sent in the next round.
      const tries = await eventually(
        () => Promise.all(members.map((member) => outcome(member))),
        (mails) => mails.some((mail) => mail?.finished === true),
      );
      expect(tries.map((mail) => mail?.attempts)).toEqual([1, 1]);
      expect(tries.filter((mail) => mail?.finished === false)).toHaveLength(1);
      expect(server.mails).toHaveLength(1);
      await sql('update mails set finished_at = now() where finished_at is null');
      await allSent();
    });

    it.each([
      ['the recipient', { code: 550, at: 'recipient' }],
      ['the mail', { code: 554, at: 'data' }],
    ] as const)('is given up when it refuses %s for good', async (_, refusal) => {
      server.refusals.push(refusal);
      const member = await api.member();
      expect(
        await eventually(
          () => outcome(member),
          (mail) => mail?.finished === true,
        ),
      ).toMatchObject({ attempts: 1 });
      expect(server.mails.filter(({ recipients }) => recipients.includes(member.email))).toEqual([]);
    });

    it('is given up after the last try, and when it comes too late to be of use', async () => {
      const member = await api.member();
      await server.mailTo(member.email, VERIFY);
      await eventually(
        () => outcome(member),
        (mail) => mail?.finished === true,
      );
      const again = `update mails set finished_at = null, next_at = now(), attempts = $2, created_at = now() - $3 * interval '1 hour'
                     where account_id = $1`;
      server.refusals.push({ code: 451, at: 'recipient' });
      await sql(again, [member.id, 6, 0]);
      expect(
        await eventually(
          () => outcome(member),
          (mail) => mail?.finished === true,
        ),
      ).toMatchObject({ attempts: 7 });
      await sql(again, [member.id, 0, 25]);
      await eventually(
        () => outcome(member),
        (mail) => mail?.finished === true,
      );
      expect(server.mails.filter(({ recipients }) => recipients.includes(member.email))).toEqual([]);
    });

    it('leaves neither address, token nor password in the logs', () => {
      const text = log.join('\n');
      expect(text).toContain('The mail server refused a mail');
      expect(text).not.toMatch(/@example\.com|s%2Fword|p@ss|somebody/);
      for (const { text: body } of server.mails) expect(text).not.toContain(body.slice(0, 40));
    });
  });

  describe('with hostile names', () => {
    it.each(['Bob\r\nBcc: x@example.com', 'a@b.example, c@d.example', '"<evil@example.com>"', 'Ünï 💫 (comment)'])(
      'goes to its recipient alone: %j',
      async (name) => {
        const address = `hostile-${Math.random().toString(36).slice(2)}@example.com`;
        await api.nova.app
          .get(Mailer)
          .send({ to: { name, address }, subject: `Hello\r\nBcc: y@example.com`, text: 'x', html: '<p>x</p>' });
        const mail = server.mails.find(({ recipients }) => recipients.includes(address));
        expect(mail?.recipients).toEqual([address]);
        expect([...(mail?.headers.keys() ?? [])]).not.toContain('bcc');
        expect(mail?.headers.get('to')).toMatch(new RegExp(`<${address}>$`));
      },
    );
  });

  it('keeps no address, no link and no token that could be used', async () => {
    const member = await verified();
    const token = await resetToken(member);
    for (const table of ['mails', 'mail_tokens', 'security_notices']) {
      const [row] = await sql<{ text: string }>(
        `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`,
      );
      expect(row?.text).not.toContain(token);
      if (table === 'mails') expect(row?.text).not.toContain('@');
    }
  });

  it('is counted', async () => {
    const { body } = await api.browser().get('/metrics');
    expect(body).toMatch(/nova_mails_total\{purpose="verify",outcome="sent"\} \d+/);
    expect(body).toMatch(/nova_mails_waiting \d+/);
  });

  // From here on this process has two applications; the later one handles sessions.
  it('is shared by two servers: each mail is sent once', async () => {
    const other = await startTestApi({ environment: server.environment, database: api.database });
    try {
      const members = await Promise.all(Array.from({ length: 6 }, () => api.member()));
      await Promise.all(members.map(({ email }) => server.mailTo(email, VERIFY)));
      await eventually(async () => (await sql('select from mails where finished_at is null')).length === 0);
      const addresses = members.map(({ email }) => email);
      expect(server.mails.filter(({ recipients }) => recipients.some((to) => addresses.includes(to)))).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('is bounded for a network, whatever it asks for', async () => {
    const other = await startTestApi({ environment: { ...server.environment, RATE_LIMIT_FACTOR: '0.1' } });
    try {
      const ask = (n: number) => other.browser().post('/api/auth/reset-request', { email: `nobody-${n}@example.com` });
      expect((await Promise.all([1, 2, 3, 4].map(ask))).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200, 200, 429, 429,
      ]);
    } finally {
      await other.close();
    }
  });
});

describe('without mail', () => {
  it('everything else works, and nothing waits to be sent', async () => {
    const api = await startTestApi();
    try {
      expect((await api.browser().get('/api/auth/features')).body).toEqual({ mail: false });
      const member = await api.member();
      const refused = { status: 409, body: { code: 'MAIL_NOT_SET_UP' } };
      expect(await member.browser.post('/api/auth/verification')).toMatchObject(refused);
      expect(await api.browser().post('/api/auth/reset-request', { email: member.email })).toMatchObject(refused);
      await api.nova.app.get(SecurityNotices).tell(member.id, { kind: 'recovered', by: 'pin' });
      expect((await member.browser.get('/api/auth/security-notices')).body.notices).toHaveLength(1);
      expect((await api.database.pool.query('select from mails')).rowCount).toBe(0);
    } finally {
      await api.close();
    }
  });
});

describe('a mail server without TLS', () => {
  let plain: MailServer;
  let api: TestApi | undefined;
  beforeAll(async () => {
    plain = await MailServer.start({ startTls: false });
  });
  afterEach(() => api?.close());
  afterAll(() => plain?.close());

  it('gets nothing', async () => {
    api = await startTestApi({ environment: plain.environment });
    await api.member({ email: 'tls@example.com' });
    const { pool } = api.database;
    await eventually(async () => {
      const { rows } = await pool.query<{ attempts: number; waits: boolean }>(
        `select attempts, next_at < now() + interval '61 s' as waits from mails`,
      );
      return rows[0]?.attempts === 1 && rows[0].waits;
    });
    expect([plain.attempts, plain.mails]).toEqual([0, []]);
  });

  it('gets mail where a setting says so', async () => {
    api = await startTestApi({ environment: { ...plain.environment, SMTP_TLS: 'off' } });
    await api.member({ email: 'plain@example.com' });
    expect(await plain.mailTo('plain@example.com', VERIFY)).toMatchObject({ isEncrypted: false });
  });
});
