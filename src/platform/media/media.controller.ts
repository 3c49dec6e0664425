import { Controller, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { networkOf } from '../http/client-network.js';
import { Endpoint } from '../http/routes.js';
import { type DerivedFormat } from '../storage/derived-files.js';
import { FileStorage } from '../storage/file-storage.js';
import { PictureConverter } from './picture-converter.js';
import { WithheldPictures } from './withheld-pictures.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/**
 * Browsers ask again after a minute, so that a picture which was hidden, deleted or erased disappears. Within it they
 * may follow a redirect again, whose signed address lives longer (seconds).
 */
const FRESH_S = 60;
const REDIRECT_FRESH_S = 30;

/**
 * `/media/<unguessable>/<width>.<ext>`: stored pictures. The content of a name never changes. Each WebP has a JPEG and
 * a PNG next to it, which are converted when they are requested.
 */
@Controller()
export class MediaController {
  constructor(
    private readonly storage: FileStorage,
    private readonly converter: PictureConverter,
    private readonly withheld: WithheldPictures,
  ) {}

  @Endpoint('GET /media/{folder}/{file}', { access: 'public' })
  async serve(
    @Param('folder') folder: string,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [width = '', format = ''] = file.split('.');
    const contentType = CONTENT_TYPES[format];
    const wellFormed = /^[\w-]{16,64}$/.test(folder) && /^\d{2,4}\.[a-z]{3,4}$/.test(file);
    if (!wellFormed || contentType === undefined || this.withheld.has(folder)) throw notFound();
    const converted = format === 'jpg' || format === 'png' ? format : null;
    const name = `${folder}/${converted ? `${width}.webp` : file}`;
    const etag = `"${folder}-${file}"`;
    const fresh = (): FastifyReply => reply.header('ETag', etag).header('Cache-Control', `public, max-age=${FRESH_S}`);
    if (request.headers['if-none-match'] === etag) {
      if (!(await this.storage.has(name))) throw notFound();
      await fresh().status(304).send();
      return;
    }
    const address = converted ? null : await this.storage.addressOf(name, contentType);
    if (address !== null) {
      await reply.header('Cache-Control', `private, max-age=${REDIRECT_FRESH_S}`).redirect(address, 302);
      return;
    }
    const bytes = await (converted ? this.convert(name, converted, request, reply) : this.storage.get(name));
    if (!bytes) throw notFound();
    await fresh().type(contentType).send(bytes);
  }

  private convert(
    name: string,
    format: DerivedFormat,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Buffer | null> {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return this.converter.convert(name, format, { network: networkOf(request.ip), gone: gone.signal });
  }
}

function notFound(): ApiError {
  return new ApiError(404, 'Not found', { code: 'PGRST125' });
}
