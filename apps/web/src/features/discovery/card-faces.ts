/** The faces of a card (rule discovery-4): its front, the ones others turn to, and the ones its owner turns to. */
export type CardFace = 'front' | 'details' | 'wall' | 'fullWall' | 'mood' | 'about' | 'ownWall';

const AFTER: Readonly<Record<CardFace, CardFace>> = {
  front: 'details',
  details: 'wall',
  wall: 'fullWall',
  fullWall: 'front',
  mood: 'about',
  about: 'ownWall',
  ownWall: 'front',
};

/** The next face: 1, 2, 3 and the front for others; mood, about, wall and close for the owner (rule discovery-4). */
export const faceAfter = (face: CardFace): CardFace => AFTER[face];

/** The face that a card opens on. */
export const firstFace = ({ isOwn }: { isOwn: boolean }): CardFace => (isOwn ? 'mood' : 'details');

const NAMES: Readonly<Record<CardFace, string>> = {
  front: 'the front',
  details: 'the profile',
  wall: 'the wall',
  fullWall: 'the whole wall',
  mood: 'my mood',
  about: 'about me',
  ownWall: 'my wall',
};

/** The name of a face on the control that leads to it. */
export const nameOfFace = (face: CardFace): string => NAMES[face];
