import { lazy, Suspense, useEffect, useState } from 'react';
import { answerFreshProofs } from '@/shared/api';

const FreshProofDialog = lazy(async () => ({ default: (await import('./fresh-proof-dialog')).FreshProofDialog }));

interface Question {
  answer: (isProven: boolean) => void;
}

/** Asks for a fresh proof whenever a call needs one, wherever it was made. Render it once, at the root. */
export function FreshProofs() {
  const [question, setQuestion] = useState<Question | null>(null);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(
    () =>
      answerFreshProofs(() => {
        setLoaded(true);
        return new Promise((answer) => setQuestion({ answer }));
      }),
    [],
  );
  if (!isLoaded) return null;
  return (
    <Suspense fallback={null}>
      <FreshProofDialog
        open={question !== null}
        onDone={(isProven) => {
          setQuestion(null);
          question?.answer(isProven);
        }}
      />
    </Suspense>
  );
}
