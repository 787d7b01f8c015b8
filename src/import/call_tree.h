/* call_tree.h - a call tree estimated from a call graph, for profiles that know no start times. */
#ifndef OPLI_IMPORT_CALL_TREE_H
#define OPLI_IMPORT_CALL_TREE_H

#include "trace/call_graph.h"

/* Lays the graph out on the track as spans that are flagged synthetic. What a graph cannot tell is which call led to
 * which, so the tree is a guess that keeps to what is known: children fit into their parent, and no edge gets more
 * time than was measured (or, where recursion hides the time, more calls). `left_out` counts the branches that were too
 * short, or too deep, to be drawn. False when there is no memory. */
bool opli_call_tree_lay_out(const opli_call_graph *graph, opli_builder *builder, uint32_t track, uint64_t *left_out);

#endif
