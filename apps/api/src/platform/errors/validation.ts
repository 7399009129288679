import { type ArgumentMetadata, ValidationPipe, type ValidationPipeOptions } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { AppError } from './app-error.js';
import { type ErrorCode, isErrorCode } from './error-codes.js';

type Storage = ReturnType<typeof getMetadataStorage>;
type Rules = ReturnType<Storage['getTargetValidationMetadatas']>;
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- as class-validator names classes
type Class = Function;

/**
 * class-validator looks through the rules of every class of the program each time it validates: what it finds for a class is
 * kept from here on, also as part of another one, whose name it gives as `schema`. Rules come with their classes and do not
 * change.
 */
function keepKnownRules(): void {
  const storage = getMetadataStorage();
  const known = new WeakMap<Class, Map<string, Rules>>();
  const look = storage.getTargetValidationMetadatas.bind(storage);
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (always || strictGroups || groups) return look(target, schema, always, strictGroups, groups);
    const ofClass = known.get(target) ?? new Map<string, Rules>();
    known.set(target, ofClass);
    const rules = ofClass.get(schema) ?? look(target, schema, always, strictGroups, groups);
    ofClass.set(schema, rules);
    return rules;
  };
}

keepKnownRules();

/** Constraints that say that a value is missing: they are told before what is wrong with values that are there. */
const MISSING = new Set(['isDefined', 'isNotEmpty']);
const UNKNOWN_FIELD = 'whitelistValidation';

interface Fault {
  readonly field: string;
  readonly constraint: string;
  readonly message: string;
  readonly code: ErrorCode;
}

const frames = new WeakSet<object>();

/** Marks the DTO of a frame of the live connection. */
export const Frame = (): ClassDecorator => (dto) => void frames.add(dto);

const OPTIONS: ValidationPipeOptions = {
  whitelist: true,
  forbidUnknownValues: true,
  transform: true,
  stopAtFirstError: false,
  validationError: { target: false, value: false },
  exceptionFactory: validationError,
};

/**
 * DTOs checked with a whitelist; unknown fields of requests are refused, those of frames left out: clients may send more than
 * anybody reads. A constraint may bring its own machine word as `context: { code: 'INVALID_PIN' }`; else the code is
 * `VALIDATION_FAILED`.
 */
class DtoPipe extends ValidationPipe {
  private readonly ofFrames = new ValidationPipe(OPTIONS);

  constructor() {
    super({ ...OPTIONS, forbidNonWhitelisted: true });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isFrame = metadata.metatype !== undefined && frames.has(metadata.metatype);
    return isFrame ? this.ofFrames.transform(value, metadata) : super.transform(value, metadata);
  }
}

export const createValidationPipe = (): ValidationPipe => new DtoPipe();

function validationError(errors: readonly ValidationError[]): AppError {
  const faults = errors.flatMap((error) => flatten(error, ''));
  const first = faults.find(({ constraint }) => MISSING.has(constraint)) ?? faults[0];
  const fields: Record<string, string[]> = {};
  for (const { field, message } of faults.slice(0, FAULTS_SHOWN_MAX)) (fields[shown(field)] ??= []).push(message);
  const message = first?.message ?? 'The request has invalid values.';
  return new AppError(400, first?.code ?? 'VALIDATION_FAILED', message, { extra: { fields } });
}

function flatten(error: ValidationError, parent: string): Fault[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([constraint, message]): Fault => {
    const unknown = constraint === UNKNOWN_FIELD;
    const context: unknown = error.contexts?.[constraint];
    return {
      field,
      constraint,
      message: unknown ? `The request has an unknown field: ${shown(field)}.` : asSentence(message),
      code: unknown ? 'UNKNOWN_FIELD' : (codeOf(context) ?? 'VALIDATION_FAILED'),
    };
  });
  // With several faults of one value, a missing one says it all.
  own.sort((a, b) => Number(MISSING.has(b.constraint)) - Number(MISSING.has(a.constraint)));
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, field))];
}

/** Whoever has mended these is told of the others. */
const FAULTS_SHOWN_MAX = 10;
const FIELD_NAME_SHOWN_MAX = 60;
const MESSAGE_SHOWN_MAX = 200;
const clip = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);

/** A field's name may be the caller's own invention. */
const shown = (field: string): string => clip(field.replaceAll(/[^\x20-\x7e]/g, '?'), FIELD_NAME_SHOWN_MAX);

/** The library's own messages are sentences without their ends; ours come with the specification's exact text. */
const asSentence = (given: string): string => {
  const message = clip(given, MESSAGE_SHOWN_MAX);
  if (/^[A-Z]/.test(message)) return message;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
};

const codeOf = (context: unknown): ErrorCode | undefined =>
  typeof context === 'object' && context !== null && 'code' in context && isErrorCode(context.code)
    ? context.code
    : undefined;
