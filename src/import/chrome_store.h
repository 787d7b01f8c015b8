/* chrome_store.h - what the events of a Chrome trace mean, put into the store. */
#ifndef OPLI_IMPORT_CHROME_STORE_H
#define OPLI_IMPORT_CHROME_STORE_H

#include "import/chrome_pairs.h"
#include "import/chrome_tracks.h"
#include "import/chrome_words.h"

#define OPLI_KNOWN_CATEGORIES 256u

/* What is known of a category once it was seen. */
typedef struct opli_known_category {
    uint32_t text;
    bool filled;
    enum opli_json_kind kind;
    size_t length;
    char bytes[32]; /* as it stands in the file */
    opli_chrome_word word;
} opli_known_category;

/* Large: not for the stack. */
typedef struct opli_chrome_store {
    opli_builder *builder;
    opli_chrome_texts texts;
    opli_chrome_tracks tracks;
    opli_pairs pairs;
    opli_known_category categories[OPLI_KNOWN_CATEGORIES];
} opli_chrome_store;

/* Begins; the store is zeroed, and does not move afterwards. */
void opli_chrome_store_init(opli_chrome_store *store, opli_builder *builder);

/* Adds an event. Its arguments' hashes are filled in. */
void opli_chrome_store_event(opli_chrome_store *store, opli_chrome_event *event);

/* A member of the file's object that is not its events. */
void opli_chrome_store_fact(opli_chrome_store *store, const opli_json_value *key, const opli_json_value *value);

/* Ends what still waits for its end, and frees all but the builder. */
void opli_chrome_store_finish(opli_chrome_store *store);

#endif
