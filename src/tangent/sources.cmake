set(PW_SOURCES_TANGENT explain_tangent.c gradient.c gradient_json.c jump_tangent.c saltation.c tangent_motion.c variation.c)
