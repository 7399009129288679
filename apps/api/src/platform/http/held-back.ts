import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests of this route are no calls: each is held back until there is something to say. */
    isHeldBack?: boolean;
  }
}

/** Whether a request is neither logged, nor measured, nor traced: how long it takes says nothing. */
export const isHeldBack = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.isHeldBack === true;
