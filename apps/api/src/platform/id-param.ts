import { Param, ParseUUIDPipe, type PipeTransform } from '@nestjs/common';
import { notFound } from './errors/app-error.js';

/** Ids are kept in lower case. */
const lowerCase: PipeTransform<string, string> = { transform: (id) => id.toLowerCase() };

/** A path parameter that is one of our ids. Anything else names nothing: 404, as for an id that is not there. */
export const IdParam = (name: string, what = 'This'): ParameterDecorator =>
  Param(name, new ParseUUIDPipe({ exceptionFactory: () => notFound(what) }), lowerCase);
