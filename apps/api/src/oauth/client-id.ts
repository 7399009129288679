import { Param, type PipeTransform } from '@nestjs/common';
import { applicationNotFound } from './application-not-found.js';

const CLIENT_ID = /^[\w-]{1,64}$/;

/** Whether an application could have this id: anything else needs no look-up. */
export const isClientId = (text: string): boolean => CLIENT_ID.test(text);

const known: PipeTransform<string, string> = {
  transform(text) {
    if (isClientId(text)) return text;
    throw applicationNotFound();
  },
};

/** A path parameter that is an application's id. Anything else names none: 404, as for one that is not there. */
export const ClientIdParam = (name: string): ParameterDecorator => Param(name, known);
