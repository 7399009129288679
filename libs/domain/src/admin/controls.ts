import type { ControlsChanged, ModerationEvent } from './events.js';

/** The limits for admins (rules admin-19 to admin-21). Minor units of NOVA; null where there is none. */
export type Controls = Pick<ControlsChanged, 'threshold' | 'dailyCap'>;

export interface ControlsState extends Controls {
  /** The last change; undefined before the first. */
  readonly last: ControlsChanged | undefined;
  /** Approved acts that took effect: none does twice. */
  readonly applied: ReadonlySet<string>;
}

/** The target of its events: their stream is `moderation-controls`. */
export const CONTROLS_TARGET = 'controls';

export const NO_CONTROLS: ControlsState = { threshold: null, dailyCap: null, last: undefined, applied: new Set() };

export function evolveControls(state: ControlsState, event: ModerationEvent): ControlsState {
  if (event.type !== 'ControlsChanged') return state;
  const { threshold, dailyCap, subjectId } = event;
  const applied = subjectId === null ? state.applied : new Set([...state.applied, subjectId]);
  return { threshold, dailyCap, last: event, applied };
}

/** One admin has nobody to ask, and without a limit there is nothing to protect. */
export const hasSecondEye = ({ threshold, dailyCap }: Controls, admins: number): boolean =>
  admins >= 2 && (threshold !== null || dailyCap !== null);

/** Whether an act that gives or takes so much waits for a second admin (rule admin-19). */
export const amountWaits = ({ threshold }: Controls, amount: bigint, admins: number): boolean =>
  admins >= 2 && threshold !== null && amount > threshold;

const loosens = (before: bigint | null, after: bigint | null): boolean =>
  before !== null && (after === null || after > before);

/** Whether a change of the limits waits for a second admin: where it raises one or takes it away (rule admin-21). */
export const changeWaits = (before: Controls, after: Controls, admins: number): boolean =>
  admins >= 2 && (loosens(before.threshold, after.threshold) || loosens(before.dailyCap, after.dailyCap));
