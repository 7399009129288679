import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { SignedInMember } from './member.js';

/** For public calls that use a session if there is one. Nobody is turned away. */
@Injectable()
export class MaybeSignedInGuard extends AuthGuard('session') {
  override handleRequest<T = SignedInMember | undefined>(error: unknown, member: T | false): T {
    if (error) throw error;
    return (member || undefined) as T;
  }
}
