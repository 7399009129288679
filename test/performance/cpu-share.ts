import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PERIOD_US = 10_000;

/** The kernel's control groups of version 1 and of version 2: where they are, and the files that limit one. */
const VERSIONS: readonly {
  readonly root: string;
  readonly limits: (quotaUs: number) => Readonly<Record<string, string>>;
}[] = [
  {
    root: '/sys/fs/cgroup/cpu',
    limits: (quotaUs) => ({ 'cpu.cfs_period_us': `${PERIOD_US}`, 'cpu.cfs_quota_us': `${quotaUs}` }),
  },
  { root: '/sys/fs/cgroup', limits: (quotaUs) => ({ 'cpu.max': `${quotaUs} ${PERIOD_US}` }) },
];

/** Limits a process to a share of one core, like a machine with no more than that. */
export class CpuShare {
  private constructor(private readonly group: string) {}

  /** Why processes cannot be limited here, if so: it needs Linux and a user who may create control groups. */
  static obstacle(): string | undefined {
    try {
      CpuShare.limited('nova-bench-trial', 1).forget();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  static hold(pid: number, cores: number): CpuShare {
    const share = CpuShare.limited(`nova-bench-${pid}`, cores);
    writeFileSync(path.join(share.group, 'cgroup.procs'), String(pid));
    return share;
  }

  private static limited(name: string, cores: number): CpuShare {
    const version = VERSIONS.find(({ root }) => existsSync(root));
    if (!version) throw new Error('this system has no control groups');
    const group = path.join(version.root, name);
    mkdirSync(group);
    try {
      for (const [file, value] of Object.entries(version.limits(Math.round(cores * PERIOD_US)))) {
        writeFileSync(path.join(group, file), value);
      }
    } catch (error) {
      rmdirSync(group);
      throw error;
    }
    return new CpuShare(group);
  }

  /** Once its process is gone. */
  forget(): void {
    rmdirSync(this.group);
  }
}
