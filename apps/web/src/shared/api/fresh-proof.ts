/** The code with which the server asks for a fresh proof. */
export const FRESH_PROOF_NEEDED = 'FRESH_PROOF_NEEDED';

/** Asks the member to prove who they are; resolves to whether they did. */
type Prover = () => Promise<boolean>;

let prover: Prover | null = null;
let underWay: Promise<boolean> | null = null;

/** Sets who asks, until the returned function is called. */
export function answerFreshProofs(next: Prover): () => void {
  prover = next;
  return () => {
    if (prover === next) prover = null;
  };
}

/** Asks once for all calls that wait. If nobody is there to ask, the proof fails. */
export function askForFreshProof(): Promise<boolean> {
  underWay ??= (prover?.() ?? Promise.resolve(false)).finally(() => {
    underWay = null;
  });
  return underWay;
}
