import { Injectable } from '@nestjs/common';
import { SecurityNotices } from '../identity/security-notices.js';
import { addNotices } from './notices.js';

/**
 * Security notices stand among the others as well. What was read there is not seen on a device: a thief cannot hide them from
 * the owner (`SecurityNotices`).
 */
@Injectable()
export class SecurityTold {
  constructor(securityNotices: SecurityNotices) {
    securityNotices.onTold((manager, { id, accountId, notice }) => {
      const facts = { security: notice };
      const told = { memberId: accountId, source: id, kind: 'security', facts, at: Date.now() } as const;
      return addNotices((sql, values) => manager.query(sql, values), [told]);
    });
  }
}
