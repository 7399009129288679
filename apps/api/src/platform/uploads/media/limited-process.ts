export interface ProcessLimits {
  /** Of data: memory that it allocates, not memory that it reserves. */
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

/** The largest file that such a process may write, in blocks of 512 bytes: twice what an admin may send. */
const FILE_BLOCKS_MAX = 2 * 100 * 2_048;

/** Leaves out limits that the system does not know. All values come as arguments; none is written into the script. */
const SCRIPT = [
  'ulimit -c 0',
  `ulimit -f ${FILE_BLOCKS_MAX}`,
  'ulimit -t "$1"',
  'ulimit -d "$2"',
  'shift 2',
  'exec "$@"',
].join(' 2>/dev/null; ');

/** The command that runs a program within system limits that it cannot lift. */
export function limited(
  program: string,
  args: readonly string[],
  { memoryBytes, cpuSeconds }: ProcessLimits,
): { readonly command: string; readonly args: string[] } {
  const limits = [String(cpuSeconds), String(Math.ceil(memoryBytes / 1024))];
  return { command: '/bin/sh', args: ['-c', SCRIPT, 'limited', ...limits, program, ...args] };
}
