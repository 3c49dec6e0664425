import { Controller, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { networkOf } from '../http/client-network.js';
import { Endpoint } from '../http/routes.js';
import { FileStorage } from '../storage/file-storage.js';
import { PictureConverter } from './picture-converter.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/**
 * `/media/<unguessable>/<width>.<ext>`: stored pictures. The content of a name never changes. Each WebP has a JPEG and
 * a PNG next to it, which are converted when they are requested.
 */
@Controller()
export class MediaController {
  constructor(
    private readonly storage: FileStorage,
    private readonly converter: PictureConverter,
  ) {}

  @Endpoint('GET /media/{folder}/{file}', { access: 'public' })
  async serve(
    @Param('folder') folder: string,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const [width = '', format = ''] = file.split('.');
    const contentType = CONTENT_TYPES[format];
    const wellFormed = /^[\w-]{16,64}$/.test(folder) && /^\d{2,4}\.[a-z]{3,4}$/.test(file);
    const read = (): Promise<Buffer | null> => {
      if (format !== 'jpg' && format !== 'png') return this.storage.get(`${folder}/${file}`);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const client = { network: networkOf(request.ip), gone: gone.signal };
      return this.converter.convert(`${folder}/${width}.webp`, format, client);
    };
    const bytes = wellFormed && contentType ? await read() : null;
    if (!bytes || !contentType) throw new ApiError(404, 'Not found', { code: 'PGRST125' });
    void reply.header('Content-Type', contentType);
    void reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return bytes;
  }
}
