import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A member's account. Closed accounts keep their row, without what is personal. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid') id: string;
  /** As typed at registration. */
  @Column('text') email: string;
  /** As compared: see `emailKey`. */
  @Column('text', { name: 'email_key', unique: true }) emailKey: string;
  /** Null until its member has shown that mail to it reaches them. */
  @Column('timestamptz', { name: 'email_verified_at', nullable: true }) emailVerifiedAt: Date | null;
  @Column('text', { name: 'display_name' }) displayName: string;
  /** As searched: see `searchKey`. */
  @Column('text', { name: 'name_key' }) nameKey: string;
  @Column('text', { name: 'password_hash' }) passwordHash: string;
  @Column('text', { name: 'pin_hash' }) pinHash: string;
  @Column('boolean', { name: 'is_admin' }) isAdmin: boolean;
  @Column('text', { name: 'profile_image_url', nullable: true }) profileImageUrl: string | null;
  @Column('text', { name: 'profile_card_thumbnail_url', nullable: true }) profileCardThumbnailUrl: string | null;
  @Column('text', { name: 'profile_card_content_url', nullable: true }) profileCardContentUrl: string | null;
  @Column('text', { name: 'profile_card_content_type', nullable: true }) profileCardContentType: string | null;
  @Column('text', { name: 'tc_version' }) tcVersion: string;
  @Column('timestamptz', { name: 'tc_accepted_at' }) tcAcceptedAt: Date;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'closed_at', nullable: true }) closedAt: Date | null;
}

/** A browser that signed in to an account, known by its own long-lived cookie. */
@Entity('devices')
export class Device {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'account_id' }) accountId: string;
  @Column('bytea', { name: 'token_hash' }) tokenHash: Buffer;
  @Column('text', { name: 'user_agent' }) userAgent: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
}

/** A signed-in browser session; the token itself is only in the cookie. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid') id: string;
  @Column('bytea', { name: 'token_hash', unique: true }) tokenHash: Buffer;
  @Column('uuid', { name: 'account_id' }) accountId: string;
  @Column('uuid', { name: 'device_id' }) deviceId: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt: Date;
  /** Given under a cookie's name that only this host can set. */
  @Column('boolean', { name: 'host_bound' }) hostBound: boolean;
}

export const IDENTITY_ENTITIES = [Account, Device, Session];
