import { Controller, Get, HttpCode, Param, Put, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Public } from '../auth/access.js';
import type { MemberRequest } from '../auth/member.js';
import { MaybeSignedInGuard } from '../auth/maybe-signed-in.guard.js';
import { notFound } from '../errors/app-error.js';
import { letRefusedBodyEnd } from './refused-body.js';
import { uploadId } from './media-url.js';
import { type IncomingFile, ReceiveUpload } from './receive-upload.js';
import { ServeFile } from './serve-file.js';

/** Members' files, and the address that local storage takes them at. Whoever knows an id may see the file: pages of all show it. */
@Public()
@ApiExcludeController()
@Controller('objects/uploads')
export class ObjectsController {
  constructor(
    private readonly incoming: ReceiveUpload,
    private readonly files: ServeFile,
  ) {}

  @Get(':id')
  file(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<unknown> {
    return this.files.answer(request, reply, id, 'file');
  }

  @Get(':id/thumbnail')
  thumbnail(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<unknown> {
    return this.files.answer(request, reply, id, 'thumbnail');
  }

  @Get(':id/small')
  small(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<unknown> {
    return this.files.answer(request, reply, id, 'small');
  }

  @Get(':id/medium')
  medium(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<unknown> {
    return this.files.answer(request, reply, id, 'medium');
  }

  @Get(':id/large')
  large(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<unknown> {
    return this.files.answer(request, reply, id, 'large');
  }

  /** The signature allows it; a session is not asked for, but must not be another member's. */
  @UseGuards(MaybeSignedInGuard)
  @Put(':id')
  @HttpCode(200)
  receive(
    @Req() request: MemberRequest,
    @Param('id') id: string,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
  ): Promise<void> {
    return this.take(request, { id, expires, signature }, (file) => this.incoming.receive(file));
  }

  /** A picture of a video, made by its sender's browser. */
  @UseGuards(MaybeSignedInGuard)
  @Put(':id/poster')
  @HttpCode(200)
  receivePoster(
    @Req() request: MemberRequest,
    @Param('id') id: string,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
  ): Promise<void> {
    return this.take(request, { id, expires, signature }, (file) => this.incoming.receivePoster(file));
  }

  private async take(
    request: MemberRequest,
    signed: { readonly id: string; readonly expires: unknown; readonly signature: unknown },
    receive: (file: IncomingFile) => Promise<void>,
  ): Promise<void> {
    try {
      const id = uploadId(signed.id);
      if (id === undefined) throw notFound('This upload');
      const length = request.headers['content-length'];
      await receive({
        id,
        expires: typeof signed.expires === 'string' ? signed.expires : '',
        signature: typeof signed.signature === 'string' ? signed.signature : '',
        senderId: request.user?.id,
        contentType: request.headers['content-type'],
        contentLength: length === undefined ? undefined : Number(length),
        body: request.body instanceof Readable ? request.body : undefined,
      });
    } catch (error) {
      letRefusedBodyEnd(request.raw);
      throw error;
    }
  }
}
