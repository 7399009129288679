import { Param, type PipeTransform } from '@nestjs/common';
import { applicationNotFound } from './application-not-found.js';

const CLIENT_ID = /^[\w-]{1,64}$/;

/** Whether an application could have this id. Other texts need no look-up. */
export const isClientId = (text: string): boolean => CLIENT_ID.test(text);

const known: PipeTransform<string, string> = {
  transform(text) {
    if (isClientId(text)) return text;
    throw applicationNotFound();
  },
};

/** A path parameter that is an application's id. Any other text answers 404, like an unknown application. */
export const ClientIdParam = (name: string): ParameterDecorator => Param(name, known);
