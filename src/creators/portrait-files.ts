import { type ImageInfo } from '../contract/media.js';
import { type FileStorage } from '../platform/storage/file-storage.js';

/** Deletes the files of a portrait, so that its addresses stop answering. Harmless when they are gone. */
export async function deletePortraitFiles(storage: FileStorage, profile: ImageInfo | null): Promise<void> {
  for (const { url } of profile?.sources ?? []) await storage.delete(url.slice('/media/'.length));
}
