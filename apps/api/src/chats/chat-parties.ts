import { Injectable } from '@nestjs/common';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../identity/member-directory.js';
import type { ChatPartyDto } from './chats.dto.js';

/** The members of chats as others see them, with names rendered on reading. */
@Injectable()
export class ChatPartiesDirectory {
  constructor(private readonly directory: MemberDirectory) {}

  /** A look-up for these members; whoever is not there reads "Deleted member". */
  async find(ids: Iterable<string>): Promise<(id: string) => ChatPartyDto> {
    const members = await this.directory.find(ids);
    return (id) => toParty(id, members.get(id));
  }
}

const toParty = (id: string, member: DirectoryMember | undefined): ChatPartyDto => ({
  id,
  displayName: member?.displayName ?? DELETED_MEMBER,
  profileImageUrl: member?.profileImageUrl ?? null,
  rating: member === undefined || member.closed ? 0 : member.rating,
});
