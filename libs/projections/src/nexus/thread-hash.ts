import { hash } from 'node:crypto';
import { type ThreadBlock, threadPreimage } from '@app/domain';

/** SHA-256 of `threadPreimage`, 64 lower-case hex digits: anybody who has a member's blocks can check the chain. */
export const threadHash = (block: ThreadBlock): string => hash('sha256', threadPreimage(block), 'hex');
