import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';

/** Where this process itself can be reached: the payment sandbox is called, and calls back, on the product's own server. */
@Injectable()
export class OwnAddress {
  constructor(private readonly adapters: HttpAdapterHost) {}

  /** Undefined until the server listens. */
  get current(): { readonly host: string; readonly port: number } | undefined {
    const server: Server | undefined = this.adapters.httpAdapter?.getHttpServer();
    const address = server?.address();
    if (!address || typeof address === 'string') return undefined;
    const everywhere = address.address === '::' || address.address === '0.0.0.0';
    return { host: everywhere ? '127.0.0.1' : address.address, port: address.port };
  }
}
