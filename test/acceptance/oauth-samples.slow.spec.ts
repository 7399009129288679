import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { thirdPartyCalls, type ApiCall } from '../../apps/web/src/features/developer/docs/open-api.js';
import {
  refreshSamples,
  SAMPLE_RECIPIENT,
  samplesOf,
  type Language,
  type SampleContext,
} from '../../apps/web/src/features/developer/docs/samples.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { giveConsent, registerApplication, type TestApplication } from '../support/oauth.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SCOPES = ['openid', 'profile', 'nova'];

/** The parts of a page that Node lacks: a storage, filled from the environment, and an address to navigate to. */
const PAGE = `
globalThis.sessionStorage = {
  getItem: (name) => process.env[name.toUpperCase()] ?? null,
  setItem: (name, value) => console.error(name + '=' + value),
};
globalThis.location = { search: '?code=' + process.env.NOVA_CODE, assign: (url) => console.log(String(url)) };
`;

/** Runs the samples of the Developer Portal, exactly as shown, against the running API. */
describe('the samples of the Developer Portal', () => {
  let api: TestApi;
  let ada: TestMember;
  let friend: TestMember;
  let calls: readonly ApiCall[];
  /** Where a stranger's program would be, with the built SDK among its modules. */
  const folder = mkdtempSync(join(tmpdir(), 'nova-samples-'));

  beforeAll(async () => {
    execFileSync('npm', ['run', '-s', 'build:sdk'], { cwd: ROOT, stdio: 'inherit' });
    cpSync(join(ROOT, 'dist/sdk'), join(folder, 'node_modules/@nova/sdk'), { recursive: true });
    const started = await signInAdmin(startTestApi, { atPublicUrl: true });
    api = started.api;
    ada = await api.member({ displayName: 'Ada' });
    friend = await api.member({ displayName: 'Grace' });
    await grantNova(started.admin, ada.id, 20_000);
    calls = thirdPartyCalls((await api.browser().get('/api/openapi.json')).body);
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await api?.close();
  });

  /** Registers an application for each language, and returns what runs its samples. */
  async function integration(language: Language, isPublic: boolean) {
    const developer = await api.member();
    const application = await registerApplication(developer, { isPublic, scopes: SCOPES });
    const context = contextOf(api, application);
    const secrets: Record<string, string> = { NOVA_CLIENT_SECRET: application.clientSecret };
    const codeOf = (name: string, from: typeof samplesOf): string => {
      const call = calls.find(({ method, path }) => `${method} ${path}` === name);
      if (call === undefined) throw new Error(`${name} is not documented`);
      const sample = from(call, context).find((each) => each.language === language);
      if (sample === undefined) throw new Error(`${name} has no sample for ${language}`);
      const payee = name === 'POST /api/tokens/earn/bulk' ? ada : friend;
      // A reader who spends twice takes another key.
      return sample.code.replace(SAMPLE_RECIPIENT, payee.id).replace('order-1234', randomUUID());
    };
    const run = (name: string, from = samplesOf) => runSample(language, codeOf(name, from), { secrets, folder });
    return { secrets, run };
  }

  const WAYS: readonly (readonly [Language, 'confidential' | 'public'])[] = [
    ['SDK', 'confidential'],
    ['SDK', 'public'],
    ['Node', 'confidential'],
    ['Node', 'public'],
    ['Browser', 'public'],
    ['curl', 'confidential'],
    ['curl', 'public'],
  ];

  it.each(WAYS.filter(([language]) => language !== 'curl' || hasCurl()))(
    'sign a member in and move Nova: %s, %s',
    async (language, kind) => {
      const { secrets, run } = await integration(language, kind === 'public');

      const start = await run('GET /oauth/authorize');
      const address = new URL(language === 'curl' ? locationIn(start.stdout) : start.stdout.trim(), api.url);
      // curl is no browser: it shows where a browser would be sent.
      expect(address.pathname).toBe(language === 'curl' ? '/oauth/consent' : '/oauth/authorize');
      const back = await giveConsent(ada.browser, address.searchParams, { scopes: SCOPES });
      secrets['NOVA_CODE'] = back.searchParams.get('code') ?? '';
      secrets['NOVA_CODE_VERIFIER'] = /nova_code_verifier=(\S+)/i.exec(start.stderr)?.[1] ?? '';

      const tokens = JSON.parse((await run('POST /oauth/token')).stdout);
      expect(tokens.id_token).toEqual(expect.any(String));
      secrets['NOVA_ACCESS_TOKEN'] = tokens.access_token;
      secrets['NOVA_REFRESH_TOKEN'] = tokens.refresh_token;
      const answer = async (name: string) => JSON.parse((await run(name)).stdout);

      expect(await answer('GET /oauth/userinfo')).toMatchObject({ sub: ada.id, name: 'Ada' });
      const { nova } = await answer('GET /api/oauth/token-balances');
      expect(nova).toMatchObject({ dailyLimit: 5_000, spentToday: 0, leftToday: 5_000 });
      expect(await answer('POST /api/tokens/spend')).toMatchObject({ amount: 25, novaBalance: nova.balance - 25 });
      expect(await answer('POST /api/tokens/earn')).toMatchObject({ amount: 25, novaBalance: nova.balance });
      expect(await answer('POST /api/tokens/transfer')).toMatchObject({
        amount: 1_000,
        novaBalance: nova.balance - 1_000,
        leftToday: 3_975,
      });
      const listed = await run('GET /api/tokens/transactions');
      const transactions = language === 'SDK' ? linesOf(listed.stdout) : JSON.parse(listed.stdout).transactions;
      expect(transactions.map(({ type }: { type: string }) => type)).toEqual(['transfer', 'earn', 'spend']);
      expect(transactions.map(({ description }: { description: string }) => description)).toEqual(
        Array(3).fill(expect.any(String)),
      );

      if (kind === 'confidential') {
        await run('POST /api/tokens/spend');
        expect(await answer('GET /api/tokens/wallet')).toMatchObject({ balance: 25 });
        await run('POST /api/tokens/earn/bulk');
        const entries = await run('GET /api/tokens/wallet/statement');
        const [newest] = language === 'SDK' ? linesOf(entries.stdout) : JSON.parse(entries.stdout).entries;
        expect(newest).toMatchObject({ type: 'earn', amount: 25, description: 'A prize' });
      } else if (language !== 'SDK') {
        expect(await answer('POST /oauth/introspect')).toMatchObject({ active: true });
      }
      const renewed = JSON.parse((await run('POST /oauth/token', refreshSamples)).stdout);
      expect(renewed.access_token).not.toBe(tokens.access_token);
    },
  );
});

const contextOf = (api: TestApi, { clientId, clientSecret, redirectUri }: TestApplication): SampleContext => ({
  origin: api.url,
  clientId,
  redirectUri,
  scope: SCOPES.join(' '),
  isPublic: clientSecret === '',
});

function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0;
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const locationIn = (head: string): string => /^location: (.+)$/im.exec(head)?.[1]?.trim() ?? '';

interface Running {
  readonly secrets: Readonly<Record<string, string>>;
  readonly folder: string;
}

async function runSample(language: Language, code: string, { secrets, folder }: Running) {
  const env = { PATH: process.env['PATH'], ...secrets };
  if (language === 'curl') {
    const shell = `${code} --silent --show-error && echo "nova_code_verifier=$NOVA_CODE_VERIFIER" >&2`;
    return promisify(execFile)('sh', ['-c', shell], { env });
  }
  const program = language === 'Browser' ? `${PAGE}${code}` : code;
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env, cwd: folder });
}
