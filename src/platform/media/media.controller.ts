import { Controller, Param, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { Endpoint } from '../http/routes.js';
import { FileStorage } from '../storage/file-storage.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
};

/** `/media/<unguessable>/<width>.<ext>`: stored pictures. The content of a name never changes. */
@Controller()
export class MediaController {
  constructor(private readonly storage: FileStorage) {}

  @Endpoint('GET /media/{folder}/{file}', { access: 'public' })
  async serve(
    @Param('folder') folder: string,
    @Param('file') file: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const contentType = CONTENT_TYPES[file.split('.').at(-1) ?? ''];
    const wellFormed = /^[\w-]{16,64}$/.test(folder) && /^\d{2,4}\.[a-z]{3,4}$/.test(file);
    const bytes = wellFormed && contentType ? await this.storage.get(`${folder}/${file}`) : null;
    if (!bytes || !contentType) throw new ApiError(404, 'Not found', { code: 'PGRST125' });
    void reply.header('Content-Type', contentType);
    void reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return bytes;
  }
}
