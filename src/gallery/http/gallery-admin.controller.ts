import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CreatorGenerationsRequest,
  GalleryImage,
  GalleryOrderRequest,
  SaveGalleryRequest,
} from '../../contract/calls/admin-gallery.js';
import { CreatorById, GenerationByUuid } from '../../contract/calls/shared.js';
import {
  ADMIN_GENERATIONS_PAGE_SIZE,
  type AdminGallery,
  type AdminGeneration,
  type AdminGenerationRow,
  GALLERY_MAX_SIZE,
} from '../../contract/admin-gallery.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Success } from '../../contract/scalars.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { type BodyOptions } from '../../platform/http/json-body.js';
import { ADMIN_ACT, ADMIN_READ, Rpc } from '../../platform/http/routes.js';
import { GALLERY_MESSAGES } from '../messages.js';
import { GetAdminGeneration, ListAdminGenerations } from '../reads/admin-generations.js';
import { GetAdminGallery } from '../reads/get-admin-gallery.js';
import { AddToGallery } from '../use-cases/add-to-gallery.js';
import { RemoveFromGallery } from '../use-cases/remove-from-gallery.js';
import { ReorderGallery } from '../use-cases/reorder-gallery.js';
import { SaveGallery } from '../use-cases/save-gallery.js';

/** Body of a call that takes the order of a gallery: up to 1,000 ids. */
export const ORDER_BODY = { maxBodyBytes: 64 * 1024, maxItems: GALLERY_MAX_SIZE } as const satisfies BodyOptions;

const WRITE = {
  ...ADMIN_ACT,
  authenticationMessage: GALLERY_MESSAGES.authenticationRequired,
} as const;

/** Admins curate galleries (creator spec, sections 2, 4 and 7). */
@Controller()
export class GalleryAdminController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_gallery_admin', ADMIN_READ)
  async gallery(@Body() request: CreatorById): Promise<AdminGallery> {
    return this.queries.execute(new GetAdminGallery({ creatorId: request.p_creator_id }));
  }

  @Rpc('get_gallery_generations_admin_by_jwt', ADMIN_READ)
  async images(@Body() request: CreatorById): Promise<AdminGeneration[]> {
    const { items } = await this.gallery(request);
    return [...items];
  }

  @Rpc('save_gallery_admin', { ...WRITE, ...ORDER_BODY })
  async save(@Acting() actor: Actor, @Body() request: SaveGalleryRequest): Promise<AdminGallery> {
    const { p_gallery_order: generationIds, p_expected_version: expectedVersion } = request;
    const creatorId = request.p_creator_id;
    return this.commands.execute(new SaveGallery({ creatorId, generationIds, expectedVersion, actor }));
  }

  @Rpc('add_to_creator_gallery_admin_by_jwt', WRITE)
  async add(@Acting() actor: Actor, @Body() request: GalleryImage): Promise<Success> {
    await this.commands.execute(new AddToGallery({ ...idsOf(request), actor }));
    return { success: true };
  }

  @Rpc('remove_from_creator_gallery_admin_by_jwt', WRITE)
  async remove(@Acting() actor: Actor, @Body() request: GalleryImage): Promise<Success> {
    await this.commands.execute(new RemoveFromGallery({ ...idsOf(request), actor }));
    return { success: true };
  }

  @Rpc('update_gallery_order_admin_by_jwt', { ...WRITE, limit: RATE_LIMITS.standardApi, ...ORDER_BODY })
  async reorder(@Acting() actor: Actor, @Body() request: GalleryOrderRequest): Promise<Success> {
    const { p_gallery_order: generationIds } = request;
    const creatorId = request.p_creator_id;
    await this.commands.execute(new ReorderGallery({ creatorId, generationIds, actor }));
    return { success: true };
  }

  @Rpc('list_creator_generations_admin', ADMIN_READ)
  async list(@Body() request: CreatorGenerationsRequest): Promise<AdminGenerationRow[]> {
    const { p_search: search, p_limit: limit = ADMIN_GENERATIONS_PAGE_SIZE, p_offset: offset = 0 } = request;
    const creatorId = request.p_creator_id;
    return this.queries.execute(new ListAdminGenerations({ creatorId, search, limit, offset }));
  }

  @Rpc('get_generation_admin', ADMIN_READ)
  async generation(@Body() request: GenerationByUuid): Promise<AdminGeneration> {
    return this.queries.execute(new GetAdminGeneration({ generationId: request.p_generation_id }));
  }
}

function idsOf(request: GalleryImage): { readonly creatorId: string; readonly generationId: string } {
  return { creatorId: request.p_creator_id, generationId: request.p_generation_id };
}
