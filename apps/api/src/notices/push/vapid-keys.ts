import { createECDH } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig, isLoopback } from '../../platform/config.js';

/** What push services know this installation by (RFC 8292); the private key is one of its secrets. */
@Injectable()
export class VapidKeys {
  /** The point of the private key, uncompressed, as browsers and the header take it: base64url. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** Where a push service's operator may turn to. */
  readonly subject: string;

  constructor(@InjectConfig() { secrets, securityContact, publicUrl }: Config) {
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(secrets.push);
    this.privateKey = secrets.push.toString('base64url');
    this.publicKey = ecdh.getPublicKey('base64url');
    const ours = isLoopback(publicUrl) || !publicUrl.startsWith('https:') ? 'mailto:admin@localhost' : publicUrl;
    this.subject = securityContact ?? ours;
  }
}
