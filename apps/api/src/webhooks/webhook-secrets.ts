import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../platform/config.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;

/** Makes secrets of endpoints, and encrypts them as they are stored: AES-256-GCM, each bound to its endpoint (rule webhooks-3). */
@Injectable()
export class WebhookSecrets {
  private readonly key: Buffer;

  constructor(@InjectConfig() { secrets }: Config) {
    this.key = secrets.webhooks;
  }

  make(): Buffer {
    return randomBytes(SECRET_BYTES);
  }

  seal(secret: Buffer, endpointId: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(endpointId));
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws Error it was sealed with another key, or for another endpoint */
  open(sealed: Buffer, endpointId: string): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(endpointId))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  }
}
