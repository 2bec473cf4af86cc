# strata_embed(TARGET SYMBOL FILE...): compile FILEs into TARGET as the array SYMBOL of struct
# embedded_file (base/embedded.h), in the order given.  Run as a script this file writes the C.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(arrays "")
  set(entries "")
  set(i 0)
  foreach(name IN LISTS FILES)
    file(READ ${FOLDER}/${name} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," octets "${hex}")
    string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n"
      octets "${octets}")
    string(APPEND arrays "static const unsigned char file_${i}[] = {\n${octets}0};\n")
    string(APPEND entries "    {\"${name}\", file_${i}, sizeof(file_${i}) - 1},\n")
    math(EXPR i "${i} + 1")
  endforeach()
  file(WRITE ${OUTPUT} "#include \"base/embedded.h\"\n\n"
    "extern const struct embedded_file ${SYMBOL}[];\n${arrays}"
    "const struct embedded_file ${SYMBOL}[] = {\n${entries}    {NULL, NULL, 0}};\n")
  return()
endif()

set(STRATA_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(strata_embed target symbol)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE inputs)
  string(REPLACE ";" "$<SEMICOLON>" files "${ARGN}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D SYMBOL=${symbol} -D OUTPUT=${output}
      -D FOLDER=${CMAKE_CURRENT_SOURCE_DIR} -D "FILES=${files}" -P ${STRATA_EMBED_SCRIPT}
    DEPENDS ${inputs} ${STRATA_EMBED_SCRIPT}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
