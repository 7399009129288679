import { expect, test } from '@jest/globals';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Schemas } from '@/shared/api';
import { SignatureFact, SignatureWarning } from './event-signature';

type Signature = Schemas['EventSignatureDto'];

const NOTHING = { keyId: null, firstRevision: null, lastRevision: null, signature: null, signedFrom: null };
const mark = { keyId: 'db0c6fa03e5f46d4', firstRevision: 341, lastRevision: 342, signature: 'G0QT' };

/** The text alone. */
const said = (
  component: FunctionComponent<{ signature: Signature }>,
  signature: Partial<Signature> & Pick<Signature, 'status'>,
) =>
  renderToStaticMarkup(createElement(component, { signature: { ...NOTHING, problem: null, ...signature } }))
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#x27;', "'");

test.each<[string, Partial<Signature> & Pick<Signature, 'status'>]>([
  ['This journal is not signed.', { status: 'unsigned' }],
  ['Not signed. It is from before signing began (revision 1,330).', { status: 'before', signedFrom: 1_330 }],
  ['Signed by key db0c6fa03e5f46d4, revisions 341–342, checkedShow the signatureG0QT', { status: 'signed', ...mark }],
  [
    'Signed by key db0c6fa03e5f46d4, revision 342, checkedShow the signatureG0QT',
    { status: 'signed', ...mark, firstRevision: 342 },
  ],
  ['Not signed', { status: 'wrong', problem: 'Revision 343 is signed by nobody.' }],
  [
    'Not valid: names key db0c6fa03e5f46d4, revisions 341–342Show the signatureG0QT',
    { status: 'wrong', ...mark, problem: "Revision 341 is signed by somebody else than the journal's key." },
  ],
])('who signed an event is told: %s', (words, signature) => {
  expect(said(SignatureFact, signature)).toBe(`Signature${words}`);
});

test('only what is wrong is told above everything else', () => {
  const problem = 'Revision 343 is signed by nobody.';
  expect(said(SignatureWarning, { status: 'wrong', problem })).toBe(
    `Do not trust this event: no key that this installation trusts has signed it. ${problem}`,
  );
  for (const status of ['unsigned', 'before', 'signed'] as const) expect(said(SignatureWarning, { status })).toBe('');
});
