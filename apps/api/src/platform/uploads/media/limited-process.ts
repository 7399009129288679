export interface ProcessLimits {
  /** Of data: what it allocates, not what it reserves. */
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

/** No file that such a process writes is larger, in blocks of 512 bytes: twice what an admin may send. */
const FILE_BLOCKS_MAX = 2 * 100 * 2_048;

/** A limit that the system does not know is left out. All that stands in the script comes as its arguments. */
const SCRIPT = [
  'ulimit -c 0',
  `ulimit -f ${FILE_BLOCKS_MAX}`,
  'ulimit -t "$1"',
  'ulimit -d "$2"',
  'shift 2',
  'exec "$@"',
].join(' 2>/dev/null; ');

/** A program with its arguments, to be run within limits of the system that it cannot lift. */
export function limited(
  program: string,
  args: readonly string[],
  { memoryBytes, cpuSeconds }: ProcessLimits,
): { readonly command: string; readonly args: string[] } {
  const limits = [String(cpuSeconds), String(Math.ceil(memoryBytes / 1024))];
  return { command: '/bin/sh', args: ['-c', SCRIPT, 'limited', ...limits, program, ...args] };
}
