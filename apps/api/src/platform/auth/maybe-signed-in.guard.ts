import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { SignedInMember } from './member.js';

/** On public calls that want to know who calls where a session says so. Nobody is turned away. */
@Injectable()
export class MaybeSignedInGuard extends AuthGuard('session') {
  override handleRequest<T = SignedInMember | undefined>(error: unknown, member: T | false): T {
    if (error) throw error;
    return (member || undefined) as T;
  }
}
