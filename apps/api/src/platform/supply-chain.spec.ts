import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const { load } = createRequire(path.join(ROOT, 'node_modules/@nestjs/swagger/package.json'))('js-yaml') as {
  readonly load: (text: string) => unknown;
};

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes': number;
  readonly permissions?: unknown;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Record<string, unknown> }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const workflows = readdirSync(path.join(ROOT, FOLDER)).map((name) => {
  const text = read(path.join(FOLDER, name));
  return { name, text, workflow: load(text) as Workflow };
});
const jobs = workflows.flatMap(({ name, workflow }) =>
  Object.entries(workflow.jobs).map(([id, job]) => ({ name: `${name}: ${id}`, job })),
);
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+(?:\.\d+)*$/;

/** What runs beside the tests of this repository, and what it may do (`docs/security.md`, V15). */
describe('the supply chain', () => {
  it('pins every action by its commit, with the version beside it', () => {
    const used = workflows.flatMap(({ text }) =>
      [...text.matchAll(/\buses: *(.+)$/gm)].map(([, action = '']) => action),
    );
    expect(used.length).toBeGreaterThan(4);
    expect(used.filter((action) => !PINNED.test(action))).toEqual([]);
    // Every use was seen as text: none stands in another form of YAML.
    expect(used).toHaveLength(jobs.flatMap(({ job }) => job.steps.filter(({ uses }) => uses)).length);
  });

  it('gives workflows the right to read, and no token to what they run', () => {
    for (const { name, workflow, text } of workflows) {
      expect([name, workflow.permissions]).toEqual([name, { contents: 'read' }]);
      expect([name, Object.keys(workflow.on)]).toEqual([name, expect.not.arrayContaining(['pull_request_target'])]);
      expect([name, text.includes('secrets.')]).toEqual([name, false]);
    }
    for (const { name, job } of jobs) {
      expect([name, job.permissions, job['timeout-minutes'] > 0]).toEqual([name, undefined, true]);
      const checkouts = job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
      expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
    }
  });

  it('has the weaknesses and the signatures of packages looked up with every change and every week', () => {
    const { workflow } = workflows.find(({ name }) => name === 'packages.yml') ?? {};
    expect(workflow?.on).toMatchObject({
      push: { branches: ['main'] },
      schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* [0-6]$/) }],
    });
    expect(Object.keys(workflow?.on ?? {})).toContain('pull_request');
    const commands = workflow?.jobs['audit']?.steps.flatMap(({ run }) => run ?? []);
    expect(commands).toEqual([
      expect.stringContaining('npm ci --ignore-scripts'),
      'npm audit --omit=dev --audit-level=high',
      'npm audit signatures',
    ]);
  });

  it('keeps packages, actions and images up to date', () => {
    const { updates } = load(read('.github/dependabot.yml')) as {
      readonly updates: readonly {
        readonly 'package-ecosystem': string;
        readonly schedule: { readonly interval: string };
      }[];
    };
    expect(updates.map((update) => update['package-ecosystem'])).toEqual(
      expect.arrayContaining(['npm', 'github-actions', 'docker']),
    );
    for (const { schedule } of updates) expect(schedule.interval).toBe('weekly');
  });

  it('installs one version of each package, with its hash', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(?:npm:.+@)?\d/.test(version),
    );
    expect(loose).toEqual([]);
    const { packages } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly link?: boolean }>>;
    };
    const unproved = Object.entries(packages).filter(
      ([place, { integrity, link }]) => place.startsWith('node_modules/') && !link && !integrity?.startsWith('sha512-'),
    );
    expect(unproved.map(([place]) => place)).toEqual([]);
  });
});
