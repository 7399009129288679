import { Global, Module } from '@nestjs/common';
import { type Config, CONFIG } from '../config.js';
import { FileStore } from './files/file-store.js';
import { LocalFileStore } from './files/local-file-store.js';
import { Scratch } from './files/scratch.js';
import { IssueUploadTicketHandler } from './issue-upload-ticket.js';
import { MemberUploads } from './member-uploads.js';
import { ObjectsController } from './objects.controller.js';
import { FreeSpace } from './free-space.js';
import { MediaWorkshop } from './media/media-workshop.js';
import { ReceiveUpload } from './receive-upload.js';
import { ServeFile } from './serve-file.js';
import { SmallPictures } from './small-pictures.js';
import { FormFiles } from './multipart-file.js';
import { UploadRows } from './upload-rows.js';
import { UploadSignatures } from './upload-signature.js';
import { UploadTicketsController } from './upload-tickets.controller.js';
import { UploadsHousekeeping } from './uploads-housekeeping.js';
import { UploadsTakeout } from './uploads-takeout.js';
import { Uploads } from './uploads.js';

async function openFileStore({ s3, dataDir }: Config, signatures: UploadSignatures): Promise<FileStore> {
  if (!s3) return new LocalFileStore(dataDir, signatures);
  // The S3 client is large: servers that keep files in the data folder start without it.
  const { S3FileStore } = await import('./files/s3-file-store.js');
  return new S3FileStore(s3, signatures);
}

/** Files that members upload (rule uploads-1). */
@Global()
@Module({
  controllers: [ObjectsController, UploadTicketsController],
  providers: [
    IssueUploadTicketHandler,
    UploadRows,
    ReceiveUpload,
    ServeFile,
    SmallPictures,
    UploadsHousekeeping,
    UploadsTakeout,
    FormFiles,
    { provide: Uploads, useClass: MemberUploads },
    {
      provide: FreeSpace,
      inject: [CONFIG],
      useFactory: ({ dataDir, uploads }: Config) => new FreeSpace(dataDir, uploads.diskFloorBytes),
    },
    {
      provide: MediaWorkshop,
      inject: [CONFIG],
      useFactory: ({ uploads }: Config) => new MediaWorkshop(uploads.ffmpegPath),
    },
    { provide: Scratch, inject: [CONFIG], useFactory: ({ dataDir }: Config) => new Scratch(dataDir) },
    {
      provide: UploadSignatures,
      inject: [CONFIG],
      useFactory: ({ secrets, publicUrl }: Config) => new UploadSignatures(secrets.session, publicUrl),
    },
    {
      provide: FileStore,
      inject: [CONFIG, UploadSignatures],
      useFactory: openFileStore,
    },
  ],
  exports: [Uploads, FormFiles, FileStore, FreeSpace, Scratch],
})
export class UploadsModule {}
