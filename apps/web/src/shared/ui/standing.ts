/** A control pays once it has stood under the pointer for this long (rule screens-20). */
export const SETTLES_MS = 600;

/** A point, or an edge, in pixels from the corner of the window. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Box = Pick<DOMRectReadOnly, 'left' | 'right' | 'top' | 'bottom'>;

/** Presses this close to each other are at the same point: fingers tremble. */
const SAME_PX = 16;

interface Place {
  readonly fromMs: number;
  readonly box: Box;
  /** Where the pointer was, if something else lay between it and the control. */
  readonly coveredAt: Point | null;
}

/** Where one control has been of late. */
export class Standing {
  private places: readonly Place[] = [];

  /** Call this often: what lies between two calls is not seen. */
  isAt({ box, coveredAt }: Omit<Place, 'fromMs'>, nowMs: number): void {
    const last = this.places.at(-1);
    if (last !== undefined && isSameBox(last.box, box) && isSamePoint(last.coveredAt, coveredAt)) return;
    const began = this.places.findLastIndex(({ fromMs }) => fromMs <= nowMs - SETTLES_MS);
    this.places = [...this.places.slice(Math.max(began, 0)), { fromMs: nowMs, box, coveredAt }];
  }

  /** The control has become another one. */
  forget(): void {
    this.places = [];
  }

  /** Whether the control has been under this point for the whole time in which it settles. */
  hasBeenUnder(point: Point, nowMs: number): boolean {
    const began = this.places.findLastIndex(({ fromMs }) => fromMs <= nowMs - SETTLES_MS);
    if (began < 0) return false;
    return this.places
      .slice(began)
      .every(({ box, coveredAt }) => isIn(box, point) && (coveredAt === null || !isNear(coveredAt, point)));
  }
}

export const isIn = ({ left, right, top, bottom }: Box, { x, y }: Point): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

const isNear = (one: Point, other: Point): boolean => Math.hypot(one.x - other.x, one.y - other.y) <= SAME_PX;

const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.right === other.right && one.top === other.top && one.bottom === other.bottom;

const isSamePoint = (one: Point | null, other: Point | null): boolean =>
  one === null || other === null ? one === other : one.x === other.x && one.y === other.y;
