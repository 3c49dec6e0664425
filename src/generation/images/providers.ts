import { DeletedMedia } from './deleted-media.js';
import { HiddenMedia } from './hidden-media.js';
import { TakeDownRows } from './take-down-rows.js';
import { WithheldMedia } from './withheld-media.js';

export const IMAGES = [DeletedMedia, HiddenMedia, WithheldMedia, TakeDownRows];
