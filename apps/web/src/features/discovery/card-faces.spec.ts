import { expect, test } from '@jest/globals';
import { faceAfter, firstFace, type CardFace } from './card-faces';

function turnsFrom(first: CardFace): CardFace[] {
  const faces = [first];
  while (faces.at(-1) !== 'front' && faces.length < 9) faces.push(faceAfter(faces.at(-1) ?? 'front'));
  return faces;
}

test('another member’s card turns over three faces and back to its front', () => {
  expect(turnsFrom(firstFace({ isOwn: false }))).toEqual(['details', 'wall', 'fullWall', 'front']);
});

test('one’s own card turns from the mood over the words to the wall, and closes', () => {
  expect(turnsFrom(firstFace({ isOwn: true }))).toEqual(['mood', 'about', 'ownWall', 'front']);
});
