/** What the server asks for a fresh proof with. */
export const FRESH_PROOF_NEEDED = 'FRESH_PROOF_NEEDED';

/** Asks the member to prove that it is them; answers whether they did. */
type Prover = () => Promise<boolean>;

let prover: Prover | null = null;
let underWay: Promise<boolean> | null = null;

/** Who asks, from now until the returned function is called. */
export function answerFreshProofs(next: Prover): () => void {
  prover = next;
  return () => {
    if (prover === next) prover = null;
  };
}

/** Asks once for all calls that wait. Without anybody to ask, nobody proves anything. */
export function askForFreshProof(): Promise<boolean> {
  underWay ??= (prover?.() ?? Promise.resolve(false)).finally(() => {
    underWay = null;
  });
  return underWay;
}
